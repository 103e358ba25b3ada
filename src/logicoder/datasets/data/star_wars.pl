% The family of the first figure of the paper, extended: three generations, their friends and their foes.
% father(X,Y) reads "X is the father of Y", and so do all other relations.

% parents
father(ruwee,padme).
father(ruwee,sola).
father(vader,luke).
father(vader,leia).
father(darred,ryoo).
father(darred,pooja).
father(han,ben).
mother(shmi,vader).
mother(jobal,padme).
mother(jobal,sola).
mother(padme,luke).
mother(padme,leia).
mother(sola,ryoo).
mother(sola,pooja).
mother(leia,ben).

% children
son(vader,shmi).
son(luke,vader).
son(luke,padme).
son(ben,han).
son(ben,leia).
daughter(padme,ruwee).
daughter(padme,jobal).
daughter(sola,ruwee).
daughter(sola,jobal).
daughter(leia,vader).
daughter(leia,padme).
daughter(ryoo,darred).
daughter(ryoo,sola).
daughter(pooja,darred).
daughter(pooja,sola).

% brothers and sisters
brother(luke,leia).
sister(leia,luke).
sister(padme,sola).
sister(sola,padme).
sister(ryoo,pooja).
sister(pooja,ryoo).

% grandparents
grandparent(shmi,luke).
grandparent(shmi,leia).
grandparent(ruwee,luke).
grandparent(ruwee,leia).
grandparent(ruwee,ryoo).
grandparent(ruwee,pooja).
grandparent(jobal,luke).
grandparent(jobal,leia).
grandparent(jobal,ryoo).
grandparent(jobal,pooja).
grandparent(vader,ben).
grandparent(padme,ben).

% men and women
male(ruwee).
male(vader).
male(darred).
male(luke).
male(han).
male(ben).
male(obiwan).
male(yoda).
male(windu).
male(maul).
male(dooku).
male(palpatine).
female(shmi).
female(jobal).
female(padme).
female(sola).
female(ryoo).
female(pooja).
female(leia).
female(ahsoka).

% the two sides of the force
jedi(luke).
jedi(leia).
jedi(obiwan).
jedi(yoda).
jedi(windu).
jedi(ahsoka).
sith(vader).
sith(maul).
sith(dooku).
sith(palpatine).

% a red saber marks a Sith, with one exception (ben); a Jedi's is blue or green, with two (windu, ahsoka)
saber(vader,red).
saber(maul,red).
saber(dooku,red).
saber(palpatine,red).
saber(ben,red).
saber(luke,green).
saber(yoda,green).
saber(leia,blue).
saber(obiwan,blue).
saber(windu,purple).
saber(ahsoka,white).

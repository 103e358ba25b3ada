% latent facts of a lossless encoding by logicoder: they are decoded together with its exceptions
father_21(2,1).
mother_copy('Odd One',"two").

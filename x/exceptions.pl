% logicoder exceptions, version 2
% {
%   "counts": {
%     "false": 2,
%     "missing": 1,
%     "negative": 1,
%     "unknown": 1
%   },
%   "interpretations": [
%     "empty",
%     "exceptions",
%     "sky walker"
%   ],
%   "latent": "f2ad25040ce4620bfd1d2e387186f48c9a0fbce6cb3e1b19949a787b24a913b7",
%   "latent_schema": {
%     "domains": {},
%     "predicates": [
%       {
%         "background": false,
%         "modes": null,
%         "name": "father_21",
%         "open_world": false,
%         "types": [
%           "thing",
%           "thing"
%         ]
%       },
%       {
%         "background": false,
%         "modes": null,
%         "name": "mother_copy",
%         "open_world": false,
%         "types": [
%           "thing",
%           "thing"
%         ]
%       }
%     ]
%   },
%   "model": "8a321af5ccc54eb5c35d84814c768a9eb9fc83cc687b4a7e4a3a4d2f908b007c",
%   "schema": {
%     "domains": {},
%     "predicates": [
%       {
%         "background": false,
%         "modes": null,
%         "name": "mother",
%         "open_world": false,
%         "types": [
%           "thing",
%           "thing"
%         ]
%       },
%       {
%         "background": false,
%         "modes": null,
%         "name": "father",
%         "open_world": false,
%         "types": [
%           "thing",
%           "thing"
%         ]
%       },
%       {
%         "background": false,
%         "modes": null,
%         "name": "dog",
%         "open_world": false,
%         "types": [
%           "thing"
%         ]
%       },
%       {
%         "background": false,
%         "modes": null,
%         "name": "woman",
%         "open_world": false,
%         "types": [
%           "thing"
%         ]
%       },
%       {
%         "background": false,
%         "modes": null,
%         "name": "man",
%         "open_world": false,
%         "types": [
%           "thing"
%         ]
%       }
%     ]
%   }
% }
% interpretation exceptions
missing(exceptions,dog(rex)).
false(exceptions,woman('Odd One')).
false(exceptions,man(1)).
% interpretation 'sky walker'
negative('sky walker',man(leia)).
unknown('sky walker',woman(rey)).
%% end

% latent facts of a lossless encoding by logicoder: they are decoded together with its exceptions

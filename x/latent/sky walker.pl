% latent facts of a lossless encoding by logicoder: they are decoded together with its exceptions
father_21(luke,vader).
father_21(leia,vader).
mother_copy(padme,luke).
mother_copy(padme,leia).

"""Knowledge graphs: how well latent features predict links, beside simple baselines."""

"""A game as it was played: the model, and its forms as JSON, as text and as a picture."""

"""The board of Shuanglu."""

"""Boards as plain text: one pure function from a view to lines of at most 78 columns and 18 rows.

The text board of a game is the module `text` in its folder in `games`, so a further game needs no change in this file.
Such a module has `board(view, headline, remark)`, where the engine has said the words: the headline tells who does
what, and the remark anything else, in games that override `Draw::remark`. It also has `PIECES`, the letters of the
pieces, one a side or a player, which a terminal may colour (nothing must be told by colour alone); and two lines for
somebody who has not played the game yet: `AIM`, and `MOVES`, how the names of actions are written.
"""

from sarai._render.text import COLUMNS, ROWS, board, introduction, piece_letters, text_games

__all__ = ["COLUMNS", "ROWS", "board", "introduction", "piece_letters", "text_games"]

"""Drives `kosumi analysis` through KaTrain's own classes: its engine, its game, its AIs and its report.

    drive.py /path/to/kosumi

The modules `katrain` and `pysgf` must be importable; Kivy, which draws KaTrain's window, need not be there. The program
ends with an error at the first thing that KaTrain complains about.
"""

import pathlib
import sys
import tempfile
import threading
import time
import types


def replace_kivy():
    """Puts the two names that KaTrain's core takes from Kivy in their places."""
    utils, event, kivy = (types.ModuleType(name) for name in ("kivy.utils", "kivy._event", "kivy"))
    utils.platform = "linux"
    event.Observable = type("Observable", (), {})
    kivy.__path__ = []
    sys.modules.update({"kivy": kivy, "kivy.utils": utils, "kivy._event": event})


replace_kivy()

from katrain.core.ai import game_report, generate_ai_move  # noqa: E402
from katrain.core.constants import AI_DEFAULT, AI_POLICY, AI_SCORELOSS, OUTPUT_ERROR  # noqa: E402
from katrain.core.engine import KataGoEngine  # noqa: E402
from katrain.core.game import Game, Move  # noqa: E402

PATIENCE = 300
THRESHOLDS = [12, 6, 3, 1.5, 0.5, 0]


class Anything:
    """Takes any call: a part of the window that nobody looks at."""

    def __getattr__(self, _name):
        return Anything()

    def __call__(self, *_args, **_keywords):
        return None


class Window:
    """What KaTrain's core asks of the program around it."""

    def __init__(self, size):
        self.settings = {
            "game/size": size, "game/komi": 6.5, "game/rules": "japanese", "game/handicap": 0,
            "engine/fast_visits": 25, "trainer/eval_thresholds": THRESHOLDS, "trainer": {"eval_thresholds": THRESHOLDS},
        }
        self.controls = Anything()
        self.pondering = False
        self.errors = []
        self.lines = []

    def config(self, name, default=None):
        return self.settings.get(name, default)

    def log(self, text, level=0):
        self.lines.append(str(text))
        if level == OUTPUT_ERROR:
            self.errors.append(str(text))

    def update_state(self, **_keywords):
        pass

    def __call__(self, message, *arguments):
        self.errors.append(f"{message}: {arguments}")


def wait(what, is_there):
    end = time.monotonic() + PATIENCE
    while not is_there():
        assert time.monotonic() < end, f"this did not come: {what}"
        time.sleep(0.02)


def start(kosumi, folder, size, visits):
    """The engine as KaTrain starts it: with its own model and configuration, which are files of KataGo."""
    model, config = folder / "model.bin.gz", folder / "analysis.cfg"
    model.write_bytes(b"a net of KataGo")
    config.write_text("logDir = logs\nnumAnalysisThreads = 2\nnnMaxBatchSize = 8\nreportAnalysisWinratesAs = BLACK\n")
    window = Window(size)
    settings = {
        "katago": str(kosumi), "altcommand": "", "model": str(model), "config": str(config), "max_visits": visits,
        "fast_visits": 25, "max_time": 30.0, "wide_root_noise": 0.04, "_enable_ownership": True, "allow_recovery": True,
    }
    return window, KataGoEngine(window, settings)


def check(node, points):
    """What KaTrain shows of a position on a board of so many points."""
    assert node.analysis_complete, node
    moves = node.candidate_moves
    assert moves and all(0 <= move["winrate"] <= 1 for move in moves), moves
    assert len(node.ownership) == points and all(-1 <= owner <= 1 for owner in node.ownership)
    assert len(node.policy) == points + 1
    ranking = node.policy_ranking
    assert ranking and abs(sum(max(share, 0) for share, _ in ranking) - 1) < 0.01, ranking
    assert node.format_score() and node.format_winrate() and node.comment()


def play_game(kosumi, folder, size, visits):
    """A game of KaTrain's AIs, each of whose moves is analysed, hints in the middle, and a review at the end.

    The size is a number, or columns and rows as in a record ("9:7").
    """
    window, engine = start(kosumi, folder, size, visits)
    game = Game(window, engine, game_properties={})
    columns, rows = game.board_size
    wait("the empty board", lambda: game.root.analysis_complete)
    modes = [(AI_DEFAULT, {}), (AI_POLICY, {"opening_moves": 4}), (AI_SCORELOSS, {"strength": 0.5})]
    for number in range(columns + rows):
        mode, settings = modes[number % len(modes)]
        before = game.current_node
        move, _node = generate_ai_move(game, mode, settings)
        assert move is not None, f"no move by {mode}"
        wait("the position after a move", lambda: game.current_node.analysis_complete)
        assert before.analysis_complete and game.current_node is not before
        check(game.current_node, columns * rows)
        if game.current_node.is_pass and before.is_pass:
            break
        if number == columns:
            hints(game, engine)
    wait("an idle engine", engine.is_idle)
    game.analyze_extra("game", visits=2 * visits)
    wait("the review", engine.is_idle)
    node, moves = game.root, 0
    while node.children:
        node, moves = node.children[0], moves + 1
        assert node.root_visits >= 2 * visits, (moves, node.root_visits)
        assert node.points_lost is not None
    _sum_stats, histogram, _losses = game_report(game, THRESHOLDS)
    assert sum(row[side] for row in histogram for side in "BW") == moves, histogram
    forget(game, engine, window)
    assert not window.errors, window.errors
    warnings = {line.split("'warning': ")[-1] for line in window.lines if "'warning'" in line}
    print(f"{columns}x{rows}: {moves} moves, {engine.query_counter} queries, warnings: {sorted(warnings) or 'none'}")
    engine.shutdown(finish=False)
    assert engine.katago_process is None


def hints(game, engine):
    """Everything that KaTrain asks of a position besides its analysis."""
    node = game.current_node
    columns, rows = game.board_size
    before = node.analysis_visits_requested
    game.analyze_extra("extra")
    wait("more visits", lambda: node.root_visits >= before)
    game.analyze_extra("alternative")
    game.analyze_extra("equalize")
    wait("other moves", engine.is_idle)
    game.set_region_of_interest((0, 3, 0, 3))
    node.analyze(engine, region_of_interest=game.region_of_interest)
    wait("a region", engine.is_idle)
    game.region_of_interest = None
    answers = []
    engine.request_analysis(node, callback=lambda answer, partial: answers.append(partial), next_move=Move((0, 0), player=node.next_player))
    wait("the answer to a move", lambda: answers and not answers[-1])
    # A search without an end reports on its way, until it is stopped.
    visits = node.root_visits
    game.analyze_extra("ponder")
    wait("reports during a search", lambda: node.root_visits > visits)
    game.analyze_extra("stop")
    wait("the end of the search", engine.is_idle)
    game.reset_current_analysis()
    wait("the position anew", lambda: node.analysis_complete)
    check(node, columns * rows)


def forget(game, engine, window):
    """A new game while much is asked: nothing of the old game comes after it."""
    game.analyze_extra("game", visits=100_000)
    engine.on_new_game()
    new = Game(window, engine, game_properties={})
    wait("the new game", lambda: new.root.analysis_complete)
    wait("an idle engine", engine.is_idle)


def main():
    kosumi = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        play_game(kosumi, pathlib.Path(folder), 9, 60)
        play_game(kosumi, pathlib.Path(folder), 13, 40)
        play_game(kosumi, pathlib.Path(folder), "9:7", 40)
    engines = [thread.name for thread in threading.enumerate() if "_read" in thread.name]
    assert not engines, engines


main()

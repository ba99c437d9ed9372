"""Teaches the small net of the Go engine Kosumi.

The engine writes rows (positions with what should be learned of them), this package learns from them and writes a
weight file that the engine reads. Nothing about Go is computed here: planes and targets come from the rows.
`docs/net.md` in the repository defines rows, architecture, integers and weight file; `docs/training.md` says how to
use this package.

=================  =========================================================
`rows`             files of rows, as arrays in memory-mapped files
`batches`          which rows are learned from next; random symmetries
`symmetry`         the eight turns and reflections of the board
`net`              the architecture, in floating point and with fake quantisation
`quantize`         rounding that gradients pass through
`losses`           what is learned
`schedule`         the learning rate, step by step
`average`          averaged weights
`trainer`          the loop: step, measure, save, go on
`state`            what is saved, written whole or not at all
`held_out`         figures on games that are not learned from
`integers`         the net in integers, bit by bit what the engine computes
`export`           from trained weights to integers
`weights`          the weight file
`fixture`          planes and expected outputs that test the engine
`settings`         the commented files in `configs/`
`cli`              the commands
=================  =========================================================
"""

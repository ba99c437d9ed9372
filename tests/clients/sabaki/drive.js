// Drives the engine through Sabaki's own modules: a game with handicap, live analysis, stop, undo and dead stones.
//
//     npm install --no-package-lock && node drive.js /path/to/kosumi
//
// It ends with an error at the first thing that Sabaki would not understand.

const assert = require('assert')
const path = require('path')
const {Controller, ControllerStateTracker} = require('@sabaki/gtp')
const Board = require('@sabaki/go-board')
const deadstones = require('@sabaki/deadstones')

const engine = process.argv[2] || path.resolve(__dirname, '../../../target/release/kosumi')
const size = 9
const vertexPattern = /^(pass|[A-HJ-Z]\d{1,2})$/

// One part of a line of analysis as Sabaki reads it: pairs of a key and a value, the variation last.
function readPart(part) {
  const words = part.trim().split(/\s+/)
  const at = words.indexOf('pv')
  assert(at > 0 && at % 2 === 0, `no pairs before the variation: ${part}`)
  const info = {pv: words.slice(at + 1)}
  for (let i = 0; i < at; i += 2) info[words[i]] = words[i + 1]
  assert(info.pv.length > 0 && info.pv.every(word => vertexPattern.test(word)), `the variation: ${part}`)
  assert.strictEqual(info.pv[0], info.move)
  assert(Number.isInteger(+info.visits) && +info.visits >= 0, `visits: ${part}`)
  const winrate = info.winrate.includes('.') ? +info.winrate : +info.winrate / 10000
  assert(winrate >= 0 && winrate <= 1, `win rate: ${part}`)
  return {...info, winrate, vertex: info.move}
}

function readLine(line, points = size * size) {
  const [moves, ownership] = line.split(/\s+ownership\s+/)
  if (ownership != null) {
    const numbers = ownership.trim().split(/\s+/).map(Number)
    assert.strictEqual(numbers.length, points)
    assert(numbers.every(number => number >= -1 && number <= 1))
  }
  const parts = moves.split(/\s*info\s+/).slice(1).map(readPart)
  assert(parts.length > 0, line)
  return parts
}

const delay = ms => new Promise(resolve => setTimeout(resolve, ms))

// The board as the engine draws it, as signs by row from the top.
function signsOf(picture, {width, height}) {
  const rows = picture.split('\n').slice(2, 2 + height)
  return rows.map(row =>
    Array.from({length: width}, (_, x) => ({X: 1, O: -1}[row[3 + 2 * x]] || 0))
  )
}

async function main() {
  const controller = new Controller(engine, ['gtp', '--threads', '1', '--seed', '1', '--playouts', '100'])
  const tracker = new ControllerStateTracker(controller)
  const complaints = []
  controller.on('stderr', ({content}) => complaints.push(content))
  controller.start()

  const send = async (name, args = []) => {
    const response = await controller.sendCommand({name, args})
    assert(!response.error, `${name} ${args.join(' ')}: ${response.content}`)
    return response.content
  }
  const checkBoard = async board => {
    assert.deepStrictEqual(signsOf(await send('showboard'), board), board.signMap)
  }

  // All of this at once, as at the start of Sabaki.
  const [name, , protocol, list] = await Promise.all(
    ['name', 'version', 'protocol_version', 'list_commands'].map(command => send(command))
  )
  assert.strictEqual(name, 'Kosumi')
  assert.strictEqual(protocol, '2')
  const commands = list.split('\n')
  const choose = names => names.find(command => commands.includes(command))
  const analyze = choose(['analyze', 'kata-analyze', 'lz-analyze'])
  const genmove = choose(['genmove_analyze', 'kata-genmove_analyze', 'lz-genmove_analyze'])
  assert.strictEqual(analyze, 'kata-analyze')
  assert.strictEqual(genmove, 'kata-genmove_analyze')

  // Handicap stones of the first node, then a move.
  let board = Board.fromDimensions(size)
  const history = [{name: 'set_free_handicap', args: ['C3', 'G7']}]
  for (const stone of history[0].args) board = board.makeMove(1, board.parseVertex(stone))
  const sync = () => tracker.sync({komi: 0.5, boardsize: [size, size], history})
  await sync()
  await checkBoard(board)

  // An analysis runs until something else is sent; what is sent is answered.
  let lines = 0
  const watch = ({line}) => {
    if (line.startsWith('info ')) {
      readLine(line)
      lines++
    }
  }
  const analysis = controller.sendCommand({name: analyze, args: ['W', '5', 'ownership', 'true']}, watch)
  while (lines < 10) await delay(10)
  const stopped = Date.now()
  assert.strictEqual(await send('protocol_version'), '2')
  await analysis
  const took = Date.now() - stopped
  assert(took < 5000, `the analysis took ${took} ms to end`)

  // A game of the engine against itself. In the middle four moves are taken back, and the game takes another way.
  let color = 'W'
  let passes = 0
  let moves = 0
  let takenBack = false
  const boards = [board]
  while (passes < 2) {
    assert(moves < 400, 'the game has no end')
    let vertex = null
    await controller.sendCommand({name: genmove, args: [color, '10']}, ({line}) => {
      if (line.startsWith('info ')) readLine(line)
      const match = line.match(/^play (.+)$/)
      if (match != null) vertex = match[1]
    })
    assert(vertex != null, 'a genmove without a move')
    if (vertex === 'resign') break
    assert(vertexPattern.test(vertex), vertex)
    passes = vertex === 'pass' ? passes + 1 : 0
    if (vertex !== 'pass') {
      const move = board.analyzeMove(color === 'B' ? 1 : -1, board.parseVertex(vertex))
      assert(!move.overwrite && !move.suicide, `${vertex} cannot be played`)
      board = board.makeMove(color === 'B' ? 1 : -1, board.parseVertex(vertex))
    }
    boards.push(board)
    history.push({name: 'play', args: [color, vertex.toUpperCase()]})
    color = color === 'B' ? 'W' : 'B'
    moves++
    await checkBoard(board)
    if (moves === 16 && !takenBack) {
      takenBack = true
      history.splice(-4)
      boards.splice(-4)
      board = boards[boards.length - 1]
      moves -= 4
      passes = 0
      await sync()
      await checkBoard(board)
    }
  }
  const dead = (await send('final_status_list', ['dead'])).split(/\s+/).filter(word => word !== '')
  for (const vertex of dead) assert(board.get(board.parseVertex(vertex)) !== 0, `${vertex} is no stone`)
  const score = await send('final_score')
  assert(/^(0|[BW]\+\d+(\.\d+)?)$/.test(score), score)
  const guess = await deadstones.guess(board.signMap, {finished: passes >= 2, iterations: 100})
  const byGuess = guess.map(vertex => board.stringifyVertex(vertex)).sort()
  console.log(`a game of ${moves} moves, ${lines} lines of analysis, score ${score}`)
  console.log(`dead: engine [${dead.sort().join(' ')}], @sabaki/deadstones [${byGuess.join(' ')}]`)

  // A position in which there is no doubt: both find the one dead stone.
  const clear = [{name: 'play', args: ['W', 'A9']}]
  for (let y = 1; y <= size; y++) {
    for (const [sign, column] of [['B', 'B'], ['B', 'D'], ['B', 'F'], ['W', 'G'], ['W', 'J']]) {
      clear.push({name: 'play', args: [sign, `${column}${y}`]})
    }
  }
  let walls = Board.fromDimensions(size)
  for (const {args} of clear) walls = walls.makeMove(args[0] === 'B' ? 1 : -1, walls.parseVertex(args[1]))
  await tracker.sync({komi: 0.5, boardsize: [size, size], history: clear})
  await checkBoard(walls)
  assert.strictEqual(await send('final_status_list', ['dead']), 'A9')
  const alone = await deadstones.guess(walls.signMap, {finished: true, iterations: 100})
  assert.deepStrictEqual(alone.map(vertex => walls.stringifyVertex(vertex)), ['A9'])

  // A rectangle, for which Sabaki has a command of its own.
  const [width, height] = [7, 11]
  const plays = [{name: 'play', args: ['B', 'G11']}, {name: 'play', args: ['W', 'A10']}]
  let rectangle = Board.fromDimensions(width, height)
  const follow = (color, vertex) => {
    rectangle = rectangle.makeMove(color === 'B' ? 1 : -1, rectangle.parseVertex(vertex))
  }
  for (const {args} of plays) follow(...args)
  await tracker.sync({komi: 6.5, boardsize: [width, height], history: plays})
  await checkBoard(rectangle)
  for (const color of ['B', 'W', 'B', 'W']) {
    let vertex = null
    await controller.sendCommand({name: genmove, args: [color, '10']}, ({line}) => {
      if (line.startsWith('info ')) readLine(line, width * height)
      const match = line.match(/^play (.+)$/)
      if (match != null) vertex = match[1]
    })
    assert(vertexPattern.test(vertex) && vertex !== 'pass', vertex)
    follow(color, vertex)
    await checkBoard(rectangle)
  }

  assert.deepStrictEqual(complaints, [], 'standard error')
  const start = Date.now()
  await controller.stop(3000)
  assert(Date.now() - start < 2900, 'it had to be killed')
  console.log('Sabaki understands it all')
}

main().catch(error => {
  console.error(error)
  process.exit(1)
})

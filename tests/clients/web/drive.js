// Drives the page of `kosumi web` in a real browser: a whole game, analysis, a review, a phone's size, dark colours, keys
// alone, and axe-core's rules of accessibility.
//
//     npm ci && node drive.js /path/to/kosumi /usr/bin/chromium [folder for pictures]
//
// It ends with an error at the first thing that is not as a person needs it.

const assert = require('assert')
const fs = require('fs')
const os = require('os')
const path = require('path')
const { spawn } = require('child_process')
const puppeteer = require('puppeteer-core')
const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

const [program, browserPath, pictures] = process.argv.slice(2)
const PATIENCE = 60000

// Starts the program, on any port or on this one; gives its address.
function start(port = 0) {
  const child = spawn(program, ['web', '--no-config', '--no-browser', '--memory', '64', '--seed', '1', '--time-per-move', '0.3',
    '--resign-below', '0', '--port', port])
  child.stderr.on('data', text => process.stderr.write(text))
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout.on('data', part => {
      text += part
      if (text.includes('\n')) resolve({ child, address: text.trim() })
    })
    child.on('exit', code => reject(new Error(`the program ended with ${code}`)))
  })
}

// A page that notes whatever a person would have to worry about.
async function open(browser, address, viewport) {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE)
  await page.setViewport(viewport)
  page.worries = []
  page.on('console', message => {
    // Refused orders (422) are tried on purpose.
    if (message.type() === 'error' && !message.text().includes('422')) page.worries.push(message.text())
  })
  page.on('pageerror', error => page.worries.push(String(error)))
  page.on('request', request => {
    if (!request.url().startsWith(address)) page.worries.push(`a request to ${request.url()}`)
  })
  await page.goto(address)
  await page.waitForFunction(() => document.getElementById('status').textContent !== '')
  return page
}

const text = (page, selector) => page.$eval(selector, element => element.textContent)
const status = page => text(page, '#status')
const stones = page => page.$$eval('#board circle[r="11"][stroke="#222"]', found => found.length)

async function until(page, what, test, ...args) {
  try {
    await page.waitForFunction(test, { polling: 50, timeout: PATIENCE }, ...args)
  } catch (error) {
    throw new Error(`${what}: ${error.message}\n${await page.$eval('main', main => main.innerText)}`)
  }
}

// The place of a point on the screen.
async function pointAt(page, name) {
  const box = await (await page.$('#board svg')).boundingBox()
  const size = Number((await page.$eval('#board svg', svg => svg.getAttribute('viewBox').split(' ')[2]))) / 24 - 1
  const column = 'ABCDEFGHJKLMNOPQRSTUVWXYZ'.indexOf(name[0])
  const row = size - Number(name.slice(1))
  const step = box.width / (size + 1)
  return { x: box.x + (column + 1) * step, y: box.y + (row + 1) * step }
}

async function clickPoint(page, name) {
  const { x, y } = await pointAt(page, name)
  await page.mouse.click(x, y)
}

async function newGame(page, fields) {
  await page.click('#new')
  for (const [id, value] of Object.entries(fields)) await page.select(`#${id}`, value)
  await page.click('#begin')
  const size = fields.size
  await until(page, 'a new game', wanted => document.getElementById('words').textContent.startsWith(`${wanted} by`), size)
}

// Findings of axe that keep somebody from using the page.
async function check(page, what) {
  await page.evaluate(axe)
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }))
  const told = found.violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(node => node.html).join(' ').slice(0, 300)}`)
  const serious = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  assert.deepStrictEqual(serious.length, 0, `axe, ${what}:\n${told.join('\n')}`)
  console.log(`axe, ${what}: ${found.passes.length} rules passed, nothing serious${told.length ? `; ${told.join('; ')}` : ''}`)
}

async function picture(page, name) {
  if (!pictures) return
  await page.evaluate(() => scrollTo(0, 0))
  await page.screenshot({ path: path.join(pictures, `${name}.png`) })
}

const delay = time => new Promise(resolve => setTimeout(resolve, time))

async function wholeGame(browser, address) {
  const page = await open(browser, address, { width: 1200, height: 900 })
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint').map(entry => entry.startTime))
  console.log(`first paint after ${paint.map(Math.round)} ms`)
  await check(page, 'at the start')
  await page.click('#new')
  await check(page, 'the dialog for a new game')
  // A field that is hidden may have any value.
  await page.$eval('#seconds', input => { input.value = '0' })
  await page.select('#level', '20k')
  await page.select('#clock', 'byo-yomi')
  await page.$eval('#period', input => { input.value = '0' })
  await page.select('#clock', 'none')
  await page.click('#begin')
  await until(page, 'a new game', () => document.getElementById('log').textContent.includes('at level 20k'))
  await page.click('#new')
  await page.$eval('#seconds', input => { input.value = '2' })
  await page.$eval('#period', input => { input.value = '30' })
  await page.keyboard.press('Escape')
  await newGame(page, { size: '9', color: 'black', level: '20k' })

  // A click puts the stone there, before the server has answered.
  await page.evaluate(() => {
    const board = document.querySelector('#board')
    board.addEventListener('click', () => { window.clicked = performance.now() }, true)
    const isShown = () => board.querySelector('circle[stroke="#222"]') !== null
    new MutationObserver(() => { if (isShown()) window.shown ??= performance.now() }).observe(board, { childList: true, subtree: true })
  })
  await page.mouse.move(5, 5)
  const { x, y } = await pointAt(page, 'E5')
  await page.mouse.move(x, y)
  await page.evaluate(() => { window.shown = undefined })
  await page.mouse.click(x, y)
  const took = await page.evaluate(() => window.shown - window.clicked)
  assert(took >= 0 && took < 50, `the stone came after ${took} ms`)
  console.log(`a stone is shown ${took.toFixed(1)} ms after the click`)
  await until(page, 'an answer', () => document.getElementById('status').textContent.startsWith('Move 3'))
  assert.strictEqual(await stones(page), 2)

  // What is illegal is explained.
  await page.type('#line', 'e5')
  await page.keyboard.press('Enter')
  await until(page, 'an explanation', () => document.getElementById('trouble').textContent.includes('E5 is taken'))
  await page.$eval('#line', line => { line.value = '' })

  // Keys alone: a point to the right of the middle, then back.
  await page.focus('#board')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await until(page, 'the point in words', () => /F5, /.test(document.getElementById('log').lastChild.textContent))
  await page.click('#hint')
  await until(page, 'a hint', () => document.getElementById('log').textContent.includes('I would play'))
  await page.click('#undo')
  await until(page, 'the move is taken back', () => document.getElementById('status').textContent.startsWith('Move 1'))
  assert.strictEqual(await stones(page), 0)

  // The game to its end. Kosumi chooses for both sides, so that the game is one.
  let moves = 0
  while (!/wins|draw|over/.test(await status(page))) {
    assert(moves++ < 200, 'the game has no end')
    if (await page.$eval('#answer', button => button.disabled)) {
      await delay(20)
      moves--
      continue
    }
    if (moves === 20) await picture(page, 'game')
    const before = await text(page, '#words')
    await page.click('#answer')
    await until(page, 'a move', old => document.getElementById('words').textContent !== old, before)
    await until(page, 'an answer', () => !/thinks/.test(document.getElementById('status').textContent))
  }
  await until(page, 'the count', () => !document.getElementById('counted').hidden || /resignation/.test(document.getElementById('status').textContent))
  console.log(`a game of ${moves} moves of Black: ${await status(page)}`)
  await check(page, 'a counted game')
  if (!/resignation/.test(await status(page))) {
    // A stone is marked by hand.
    const name = (await text(page, '#words')).match(/Black has \d+ stones?: ([A-J]\d)/)[1]
    const before = await text(page, '#counted-text')
    await clickPoint(page, name)
    await until(page, 'a correction', old => document.getElementById('counted-text').textContent !== old, before)
    assert.match(await text(page, '#counted-help'), /You have corrected/)
  }
  const record = await page.evaluate(() => fetch(document.getElementById('save').href).then(answer => answer.text()))
  assert.match(record, /^\(;GM\[1\].*PW\[Kosumi 20k\]/s)

  // The same game after the page is loaded again.
  await page.reload()
  await until(page, 'the same game', () => /wins|draw|over/.test(document.getElementById('status').textContent))
  assert.deepStrictEqual(page.worries, [])
  return record
}

async function analysisAndReview(browser, address, record) {
  const page = await open(browser, address, { width: 1200, height: 900 })
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'kosumi-')), 'game.sgf')
  fs.writeFileSync(file, record)
  await (await page.$('#file')).uploadFile(file)
  await until(page, 'the game is loaded', () => document.getElementById('log').textContent.includes('loaded'))
  await page.click('#first')
  await until(page, 'the beginning', () => document.getElementById('place').value === '0')
  for (let i = 0; i < 12; i++) await page.click('#forward')
  await until(page, 'move 12', () => document.getElementById('place').value === '12')
  await page.click('#analyze')
  await until(page, 'best moves', () => document.querySelectorAll('#candidates li').length > 1)
  const visits = Number((await text(page, '#rating')).match(/\((\d+) visits\)/)[1])
  await until(page, 'more visits', old => Number(document.getElementById('rating').textContent.match(/\((\d+) visits\)/)[1]) > old, visits)
  await page.click('#owners')
  await page.click('#forward')
  await page.click('#forward')
  await until(page, 'the curve', () => /known at [2-9]/.test(document.getElementById('curve').getAttribute('aria-label')))
  await page.click('#owners')
  await until(page, 'best moves', () => document.querySelectorAll('#candidates li').length > 1)
  await check(page, 'an analysis')
  await delay(500)
  await picture(page, 'analysis')
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }])
  await check(page, 'an analysis, dark')
  await picture(page, 'dark')
  await page.emulateMediaFeatures([])
  // A better move is tried: a variation.
  await page.$eval('#candidates button', button => button.click())
  await until(page, 'a variation', () => !document.getElementById('variations').hidden)
  await page.click('#analyze')

  await page.click('#review')
  await page.$eval('#review-seconds', input => { input.value = '0.05' })
  await page.click('#review-begin')
  await until(page, 'the review', () => !document.getElementById('review-done').hidden)
  await check(page, 'a finished review')
  const target = new Promise(resolve => page.browserContext().once('targetcreated', resolve))
  await page.click('#review-open')
  const review = await (await target).page()
  await review.waitForSelector('#board circle, #worst, table')
  const worries = []
  review.on('pageerror', error => worries.push(String(error)))
  await review.click('#forward')
  await review.click('#forward')
  await review.waitForFunction(() => document.getElementById('told').textContent.includes('Move 2'))
  await check(review, 'the page of the review')
  // The page of a review belongs to no site, so it can ask the server for nothing.
  assert.strictEqual(await review.evaluate(() => window.origin), 'null')
  await picture(review, 'review')
  assert.deepStrictEqual(worries, [])
  await review.close()
  assert.deepStrictEqual(page.worries, [])
}

async function onAPhone(browser, address) {
  const page = await open(browser, address, { width: 390, height: 844, deviceScaleFactor: 2, isMobile: true, hasTouch: true })
  await newGame(page, { size: '19', color: 'black', level: '20k' })
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  assert(width <= 390, `the page is ${width} wide`)
  if (!(await page.$eval('#twice', box => box.checked))) await page.click('#twice')
  const tap = async name => {
    const { x, y } = await pointAt(page, name)
    await page.touchscreen.tap(x, y)
  }
  await page.$eval('#board', board => board.scrollIntoView())
  await tap('D4')
  await delay(300)
  assert.strictEqual(await stones(page), 0, 'the first tap asks')
  await tap('D4')
  await until(page, 'an answer', () => document.getElementById('status').textContent.startsWith('Move 3'))
  assert.match(await text(page, '#words'), /Black has 1 stone: D4/)
  for (const name of ['Q4', 'Q16', 'D16', 'K10', 'C10', 'R10']) {
    await until(page, 'an answer', () => !/thinks/.test(document.getElementById('status').textContent))
    await tap(name)
    await tap(name)
    await delay(100)
  }
  await until(page, 'an answer', () => !/thinks/.test(document.getElementById('status').textContent))
  const small = await page.$$eval('button, .button', all => all.map(button => button.getBoundingClientRect()).filter(box => box.height > 0 && box.height < 24).length)
  assert.strictEqual(small, 0, 'buttons too small for a finger')
  await check(page, 'a phone')
  await picture(page, 'phone')
  // The first tap stays while findings of an analysis come.
  const ghosts = () => page.$$eval('#board circle[stroke="#b3261e"][stroke-width="2"][opacity]', found => found.length)
  const visits = () => text(page, '#rating')
  await page.$eval('#analyze', button => button.click())
  await until(page, 'an analysis', () => document.querySelectorAll('#candidates li').length > 1)
  await page.$eval('#board', board => board.scrollIntoView())
  const before = await visits()
  const moves = Number((await status(page)).match(/Move (\d+)/)[1])
  const free = await page.evaluate(async () => {
    const { stones } = await fetch(document.getElementById('save').href.replace('record', 'state')).then(answer => answer.json())
    const place = stones.indexOf('.', 19 * 12)
    return 'ABCDEFGHJKLMNOPQRST'[place % 19] + (19 - Math.floor(place / 19))
  })
  await tap(free)
  assert.strictEqual(await ghosts(), 1, 'the first tap shows a stone')
  await until(page, 'more visits', old => document.getElementById('rating').textContent !== old, before)
  await delay(1000)
  assert.strictEqual(await ghosts(), 1, 'the stone is still shown')
  await tap(free)
  await until(page, 'the move', old => Number((document.getElementById('status').textContent.match(/Move (\d+)/) || [])[1]) > old, moves)
  assert.strictEqual(await ghosts(), 0, 'no point waits after the move')
  assert.deepStrictEqual(page.worries, [])
}

// The program ends, and is started again on the same port.
async function startedAgain(browser) {
  const first = await start()
  const page = await open(browser, first.address, { width: 1200, height: 900 })
  await newGame(page, { size: '9', color: 'both' })
  await clickPoint(page, 'E5')
  await until(page, 'a move', () => document.getElementById('words').textContent.includes('Black has 1 stone'))
  const trouble = () => page.$eval('#trouble', element => (element.hidden ? '' : element.textContent))
  const ended = new Promise(resolve => first.child.on('close', resolve))
  first.child.removeAllListeners('exit')
  first.child.kill()
  await ended
  await clickPoint(page, 'C3')
  await until(page, 'an alarm', () => document.getElementById('trouble').textContent.includes('does not answer'))
  const second = await start(Number(new URL(first.address).port))
  try {
    await clickPoint(page, 'C3')
    await until(page, 'an explanation', () => document.getElementById('trouble').textContent.startsWith('Kosumi was started again.'))
    assert.strictEqual(await trouble(), 'Kosumi was started again. The game before is gone, and this is a new one.')
    assert.match(await text(page, '#words'), /Black has 0 stones/)
    await page.click('#hint')
    await until(page, 'an answer', () => document.getElementById('trouble').hidden)
    // The program is away for a moment, but the game is there.
    await page.setOfflineMode(true)
    await page.click('#pass')
    await until(page, 'an alarm', () => document.getElementById('trouble').textContent.includes('does not answer'))
    assert.match(await trouble(), /does not answer/)
    await page.setOfflineMode(false)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await until(page, 'no alarm', () => document.getElementById('trouble').hidden)
  } finally {
    second.child.removeAllListeners('exit')
    second.child.kill()
  }
}

async function main() {
  const { child, address } = await start()
  const browser = await puppeteer.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const record = await wholeGame(browser, address)
    await analysisAndReview(browser, address, record)
    await onAPhone(browser, address)
    await startedAgain(browser)
    console.log('The page does what people need')
  } finally {
    await browser.close()
    child.removeAllListeners('exit')
    child.kill()
  }
}

main().catch(error => {
  console.error(error)
  process.exit(1)
})

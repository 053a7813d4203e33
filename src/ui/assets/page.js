// @ts-check
// The only script of our own. Everything works by plain links and forms; this adds what HTML cannot do.

/**
 * @typedef {object} SseMessage
 * @property {string} type
 * @property {string} data
 */

// Choosing a file is enough: the form needs no second click.
document.addEventListener('change', (event) => {
  const input = event.target;
  if (!(input instanceof HTMLInputElement) || input.type !== 'file' || !input.files?.length) return;
  const form = input.form;
  form?.classList.add('busy');
  form?.requestSubmit();
});

// The drop zone is the file input itself; this only shows that it listens.
for (const [type, isOver] of /** @type {const} */ ([
  ['dragenter', true],
  ['dragover', true],
  ['dragleave', false],
  ['drop', false],
])) {
  document.addEventListener(type, (event) => {
    const zone = event.target instanceof Element ? event.target.closest('.drop') : null;
    zone?.classList.toggle('over', isOver);
  });
}

// A file dropped beside the zone would replace the page.
for (const type of ['dragover', 'drop']) {
  window.addEventListener(type, (event) => {
    if (!(event.target instanceof Element) || event.target.closest('.drop') === null) event.preventDefault();
  });
}

// A table, or a copied file, pasted anywhere on the screen where a file is chosen.
document.addEventListener('paste', (event) => {
  const form = document.querySelector('form.upload');
  const { target, clipboardData } = event;
  if (form === null || clipboardData === null) return;
  if (target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'file'))
    return;
  const input = form.querySelector('input[type=file]');
  const area = document.querySelector('.paste textarea');
  const text = clipboardData.getData('text/plain');
  if (clipboardData.files.length > 0 && input instanceof HTMLInputElement) {
    input.files = clipboardData.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  } else if (/[\n\t;,]/.test(text) && area instanceof HTMLTextAreaElement) {
    area.value = text;
    area.form?.requestSubmit();
  }
});

// A pasted table goes the way of a file: as a field of a form it would be three times as long, and might be too long. The
// screen stays until it has arrived, so that a failure does not lose the text.
document.addEventListener('submit', (event) => {
  const form = event.target;
  const area = form instanceof HTMLFormElement ? form.querySelector('textarea[data-file]') : null;
  const upload = document.querySelector('form.upload');
  if (!(area instanceof HTMLTextAreaElement) || !(upload instanceof HTMLFormElement)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  void sendTable(area, upload);
});

/**
 * @param {HTMLTextAreaElement} area
 * @param {HTMLFormElement} upload
 */
async function sendTable(area, upload) {
  const button = area.form?.querySelector('button');
  const failed = area.form?.querySelector('[role=alert]');
  if (button?.disabled !== false) return;
  button.disabled = true;
  failed?.replaceChildren();
  const data = new FormData(upload);
  data.set('file', new File([area.value], area.dataset['file'] ?? ''));
  const send = () => fetch(upload.action, { method: 'POST', body: data });
  const pageOf = async (/** @type {Response} */ answer) =>
    new DOMParser().parseFromString(await answer.text(), 'text/html');
  try {
    let answer = await send();
    if (answer.status === 403) {
      // After a restart the form is out of date: the answer has the token of the new one.
      const { body } = await pageOf(answer);
      data.set('_token', JSON.parse(body.getAttribute('hx-headers') ?? '{}')['X-Form-Token'] ?? '');
      answer = await send();
    }
    if (answer.redirected) location.assign(answer.url);
    else {
      const said = (await pageOf(answer)).querySelectorAll('main :is(h1, p:not(:has(a)))');
      failed?.append([...said].map(({ textContent }) => textContent).join(': '));
    }
  } catch {
    failed?.append(area.dataset['failed'] ?? '');
  }
  button.disabled = false;
}

// A form is sent once, however often its button is pressed.
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.hasAttribute('hx-post')) return;
  if (form.dataset['sent'] === 'yes') event.preventDefault();
  form.dataset['sent'] = 'yes';
});
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) form.removeAttribute('data-sent');
});

// What a person has done by hand, and ticks off.
for (const box of document.querySelectorAll('input[data-keep]')) {
  if (!(box instanceof HTMLInputElement)) continue;
  const key = box.dataset['keep'] ?? '';
  box.checked = localStorage.getItem(key) !== null;
  box.addEventListener('change', () => {
    if (box.checked) localStorage.setItem(key, 'yes');
    else localStorage.removeItem(key);
  });
}

let isLeaving = false;
// A run has ended: the server says where to go.
document.addEventListener('htmx:sseBeforeMessage', (event) => {
  const { detail } = /** @type {CustomEvent<SseMessage>} */ (event);
  if (detail.type !== 'ended' || !detail.data.startsWith('/')) return;
  isLeaving = true;
  location.assign(detail.data);
});

const lost = document.querySelector('.lost');
const ASK_AGAIN_MS = 2000;
let isWaiting = false;

/**
 * After a restart, an old tab goes on by itself once the browser may see the page again.
 *
 * @param {string} [path] instead of the screen that is there
 */
function waitForReturn(path) {
  if (isWaiting) return;
  isWaiting = true;
  setInterval(() => {
    if (document.hidden) return;
    fetch('/session').then(
      ({ status }) => {
        if (status !== 204) return;
        if (path === undefined) location.reload();
        else location.replace(path);
      },
      () => undefined,
    );
  }, ASK_AGAIN_MS);
}

function isLost() {
  lost?.removeAttribute('hidden');
  waitForReturn();
}
const outside = document.querySelector('[data-outside]');
if (outside instanceof HTMLElement) waitForReturn(outside.dataset['outside']);

// A stream that has said where to go ends, too: nothing is lost then.
document.addEventListener('htmx:sseError', () => {
  if (!isLeaving) isLost();
});
document.addEventListener('htmx:sendError', isLost);

// A browser opens six connections to one address: tabs that nobody sees give theirs back, and look again when seen.
function closeStreams() {
  isLeaving = true;
  for (const stream of document.querySelectorAll('[sse-connect]')) {
    const { sseEventSource } = /** @type {any} */ (stream)['htmx-internal-data'] ?? {};
    sseEventSource?.close();
  }
}
document.addEventListener('htmx:sseOpen', () => {
  lost?.setAttribute('hidden', '');
  // Opened in the background.
  if (document.hidden) closeStreams();
});
document.addEventListener('visibilitychange', () => {
  if (document.querySelector('[sse-connect]') === null) return;
  if (document.hidden) closeStreams();
  else location.reload();
});

// Arrow keys move between the rows that can be chosen as the names of the columns.
document.addEventListener('keydown', (event) => {
  const at = event.target;
  if (!(at instanceof HTMLButtonElement) || !at.matches('.row-pick')) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const all = [...document.querySelectorAll('button.row-pick')];
  const next = all[all.indexOf(at) + step];
  if (next instanceof HTMLElement) next.focus();
});

// A row was chosen: the focus goes to it, although its number is no button any more.
document.addEventListener('htmx:afterSwap', (event) => {
  const { detail } = /** @type {CustomEvent<{ requestConfig?: { path?: string } }>} */ (event);
  if (detail.requestConfig?.path?.endsWith('/header') !== true) return;
  const row = document.querySelector('.header-row th');
  if (!(row instanceof HTMLElement)) return;
  row.tabIndex = -1;
  row.focus();
});

// The grid of the mend screen: arrows move, Enter or typing edits, Escape leaves, Ctrl+Z takes the last step back, and
// cells pasted from a spreadsheet fill the rows below. The server judges each change and answers with the rows and counts
// that are others now.

/** @param {EventTarget | null} target */
function cellAt(target) {
  const cell = target instanceof Element ? target.closest('table.grid td[tabindex]') : null;
  return cell instanceof HTMLTableCellElement ? cell : null;
}

/**
 * @param {HTMLTableCellElement} cell
 * @param {number} down
 * @param {number} right
 */
function neighbour(cell, down, right) {
  const row = cell.parentElement;
  /** @type {Element | null} */
  let next = row;
  for (let step = 0; step < Math.abs(down); step += 1)
    next = (down > 0 ? next?.nextElementSibling : next?.previousElementSibling) ?? null;
  const found = next?.children[cell.cellIndex + right];
  return cellAt(found ?? null);
}

/** @param {Element} cell */
function isEdited(cell) {
  return cell.querySelector('input, textarea') !== null;
}

/**
 * Rows of cells. Spreadsheet programs put a cell into quotes only if it has line breaks or tabs.
 *
 * @param {string} text
 */
function copiedCells(text) {
  const cells = /"((?:[^"]|"")*)"(?=[\t\n]|$)|[^\t\n]*/y;
  const all = text.replaceAll(/\r\n?/g, '\n').replace(/\n$/, '');
  /** @type {string[][]} */
  const rows = [[]];
  for (let at = 0; at <= all.length; at += 1) {
    cells.lastIndex = at;
    const [shown = '', inside = ''] = cells.exec(all) ?? [];
    rows.at(-1)?.push(/[\t\n]/.test(inside) ? inside.replaceAll('""', '"') : shown);
    at += shown.length;
    if (all[at] === '\n') rows.push([]);
  }
  return rows;
}

/** Where the grid was last: a row may be replaced under it. @type {{ id: string, column: number } | undefined} */
let place;

/** @param {HTMLTableCellElement | null} cell */
function moveTo(cell) {
  if (cell === null) return;
  for (const other of cell.closest('table')?.querySelectorAll('td[tabindex="0"]') ?? [])
    other.setAttribute('tabindex', '-1');
  cell.tabIndex = 0;
  cell.focus();
  place = { id: cell.parentElement?.id ?? '', column: cell.cellIndex };
}

/**
 * @param {Element} table
 * @param {string} path
 * @param {Record<string, string>} values
 */
function post(table, path, values) {
  const { reason = '', after = '' } = /** @type {HTMLElement} */ (table).dataset;
  // For the case that the whole screen is loaded again.
  if (place !== undefined) sessionStorage.setItem('grid-place', JSON.stringify(place));
  /** @type {{ htmx?: { ajax(verb: string, path: string, context: object): Promise<void> } }} */
  const { htmx } = /** @type {any} */ (window);
  void htmx?.ajax('POST', path, { source: table, swap: 'none', values: { ...values, reason, after } });
}

/**
 * @param {HTMLTableCellElement} cell
 * @param {{ cell: HTMLTableCellElement, text: string }[]} changes
 */
function send(cell, changes) {
  const table = cell.closest('table');
  if (table === null || changes.length === 0) return;
  const cells = changes.map(({ cell: each, text }) => {
    const row = each.parentElement;
    const sheet = row?.dataset['sheet'] ?? '';
    // Until the server has judged it.
    each.textContent = text;
    each.dataset['text'] = text;
    each.classList.add('sent');
    return {
      row: Number(row?.dataset['row']),
      ...(sheet === '' ? {} : { sheet }),
      column: each.dataset['column'] ?? '',
      text,
    };
  });
  post(table, table.dataset['cells'] ?? '', { cells: JSON.stringify(cells) });
}

// A row that was replaced takes the focus with it: back to where it was, or to the nearest row.
document.addEventListener('htmx:afterRequest', () => {
  sessionStorage.removeItem('grid-place');
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) goBack();
  });
});

function goBack() {
  const row = place === undefined ? null : document.getElementById(place.id);
  moveTo(cellAt(row?.children[place?.column ?? 0] ?? document.querySelector('table.grid td[tabindex]')));
}

/**
 * @param {HTMLTableCellElement} cell
 * @param {string} [typed] replaces the text
 */
function edit(cell, typed) {
  if (isEdited(cell)) return;
  const before = cell.dataset['text'] ?? '';
  const shown = [...cell.childNodes];
  /**
   * An input would join the lines of a text.
   *
   * @type {HTMLElement & { value: string; autocomplete: string; select(): void }}
   */
  const input = document.createElement(before.includes('\n') ? 'textarea' : 'input');
  input.value = before;
  const unchanged = input.value;
  if (typed !== undefined) input.value = typed;
  input.setAttribute('aria-label', cell.dataset['label'] ?? '');
  input.autocomplete = 'off';
  cell.replaceChildren(input);
  input.focus();
  if (typed === undefined) input.select();
  let isOpen = true;
  const leave = () => {
    // Taking the field away makes it lose the focus, which leaves it again.
    if (!isOpen) return;
    isOpen = false;
    cell.replaceChildren(...shown);
  };
  input.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.isComposing) return;
    if (event.key === 'Escape') {
      leave();
      moveTo(cell);
    } else if (event.key === 'Enter' || event.key === 'Tab') {
      event.preventDefault();
      const back = event.shiftKey ? -1 : 1;
      keep();
      moveTo((event.key === 'Tab' ? neighbour(cell, 0, back) : neighbour(cell, back, 0)) ?? cell);
    }
  });
  const keep = () => {
    const text = input.value;
    leave();
    if (text !== unchanged) send(cell, [{ cell, text }]);
  };
  input.addEventListener('blur', () => {
    // A click elsewhere keeps what was typed.
    if (isOpen) keep();
  });
}

document.addEventListener('dblclick', (event) => {
  const cell = cellAt(event.target);
  if (cell !== null) edit(cell);
});

document.addEventListener('click', (event) => {
  const cell = cellAt(event.target);
  if (cell !== null && !isEdited(cell)) moveTo(cell);
});

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

document.addEventListener('keydown', (event) => {
  const cell = cellAt(event.target);
  if (cell === null || event.isComposing) return;
  const arrow = ARROWS[event.key];
  if (arrow !== undefined) {
    event.preventDefault();
    moveTo(neighbour(cell, ...arrow));
  } else if (event.key === 'Enter' || event.key === 'F2') {
    event.preventDefault();
    edit(cell);
  } else if (event.key === 'Delete' || event.key === 'Backspace') {
    event.preventDefault();
    send(cell, [{ cell, text: '' }]);
  } else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z') {
    event.preventDefault();
    const table = cell.closest('table');
    const steps = document.querySelector('#mend-steps input[name=steps]')?.getAttribute('value');
    if (table !== null) post(table, table.dataset['undo'] ?? '', typeof steps === 'string' ? { steps } : {});
  } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    edit(cell, event.key);
  }
});

document.addEventListener('paste', (event) => {
  const cell = cellAt(event.target);
  const text = event.clipboardData?.getData('text/plain') ?? '';
  if (cell === null || isEdited(cell) || text === '') return;
  event.preventDefault();
  const changes = copiedCells(text).flatMap((row, down) =>
    row.flatMap((value, right) => {
      const target = neighbour(cell, down, right);
      return target === null ? [] : [{ cell: target, text: value }];
    }),
  );
  send(cell, changes);
});

// After the whole screen was loaded again, the place in the grid is found again.
const keptPlace = sessionStorage.getItem('grid-place');
if (keptPlace !== null) {
  sessionStorage.removeItem('grid-place');
  place = JSON.parse(keptPlace);
  if (document.querySelector('table.grid') !== null) goBack();
}

// How many rows are ready with the answers of the form.
const readyLine = document.querySelector('.ready-line');
if (readyLine instanceof HTMLElement) {
  const { ready = '', waiting = '[]', text = '', language } = readyLine.dataset;
  /** @type {[number, string[]][]} */
  const groups = JSON.parse(waiting);
  const form = readyLine.closest('form');
  const count = () => {
    const answers = new FormData(form ?? undefined);
    const isAnswered = (/** @type {string} */ field) => (answers.get(field) ?? '') !== '';
    const rows = groups.reduce(
      (sum, [n, fields]) => (fields.every(isAnswered) ? sum + n : sum),
      Number(ready),
    );
    readyLine.textContent = text.replace('{n}', new Intl.NumberFormat(language).format(rows));
  };
  form?.addEventListener('change', count);
  count();
}

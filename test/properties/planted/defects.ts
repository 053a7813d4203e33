/** Defects to be planted: what finds them, finds their like. */
import type { Defect } from './plant.ts';

/** Defects that the sources once had; looked for each time. */
export const ONCE_THERE: Defect[] = [
  {
    name: 'the plan of an upsert is not confirmed in the lane',
    edits: [['if (!this.#confirmed) await this.#confirm();', '']],
    foundBy: /made key "[^"]+" again/,
  },
  {
    name: 'a cancel is forgotten when the job goes on',
    edits: [["const stays = row.state === 'cancelled' && reopen !== true;", 'const stays = false;']],
    foundBy: /sent a row at \d+, cancelled/,
    seed: 4,
  },
  {
    name: 'an update is not read again before it is sent',
    edits: [
      [
        "if (row.action === 'create') return true;\n    const { recheckMs }",
        'if (true) return true;\n    const { recheckMs }',
      ],
    ],
    foundBy: /somebody had made it|what its file does not say/,
  },
  {
    name: 'a page that is read again is not compared',
    isRare: true,
    edits: [['return item === undefined || this.#recheck.judge(row, item);', 'return true;']],
    foundBy: /somebody had made it/,
  },
  {
    name: 'a list from which an item was removed counts as whole',
    isRare: true,
    edits: [["if (consistency === 'moved') throw new ListMovedError(explanation);", '']],
    foundBy: /made key "[^"]+" again/,
  },
  {
    name: "a job releases another's lost create within its quiet period",
    edits: [
      [
        'return matches.missing.filter(({ lost: each }) => isAsked(each));',
        "return matches.missing.filter(({ lost: { row } }) => row.state === 'unknown');",
      ],
      [
        "await commit( context, context.job.id, free.map(({ row: { ordinal, attempts } }) => ({ ordinal, from: 'unknown', attempts, to: 'planned' })), );",
        "for (const { job, row } of free) await commit(context, job.id, [{ ordinal: row.ordinal, from: 'unknown', to: 'planned' }]);",
      ],
      ['return quiet.others.endOf(job.id, row);', 'return 0;'],
      ['if (from !== undefined && MOVES_OF_OTHERS[from]?.includes(to) === true) return;', 'return;'],
    ],
    foundBy: /\d+ items for \d+ rows/,
    seed: 107,
  },
];

/** Defects of jobs beside others, of undos, and of servers that lag or rewrite; all of them were there. */
export const BESIDE: Defect[] = [
  {
    name: 'an intent does not look at what other rows have sent to the item',
    edits: [['else if (this.#isStale(job, move)) stale.push(move.ordinal);', '']],
    foundBy: /no row of it names that|: not [*+]=|is not as it was to be/,
    among: 'beside',
    seed: 29,
  },
  {
    name: 'custom fields and tags are sent as they were when the plan was made',
    edits: [
      ['const limit = isBuilt ? Math.min(JUST_READ_MS, recheckMs) : recheckMs;', 'const limit = recheckMs;'],
    ],
    foundBy: /no row of it names that/,
    among: 'beside',
    seed: 26,
  },
  {
    name: 'a list counts as whole although it lacks what was acknowledged',
    edits: [
      [
        'thoseThere([...lacking.values()], lackedAt, apiUrl, deps, taken?.fields)) {',
        'thoseThere([], lackedAt, apiUrl, deps, taken?.fields)) {',
      ],
    ],
    foundBy: /made key "[^"]+" again|\d+ items for \d+ rows|was made, and no row tells of it/,
    among: 'lagging',
  },
  {
    name: 'a new item whose id is unknown counts as removed',
    edits: [['const NEW_MS = 60_000;', 'const NEW_MS = 0;']],
    foundBy: /made key "[^"]+" again|was made, and no row tells of it/,
    among: 'lagging',
  },
  {
    name: 'the key of an update is not checked again',
    edits: [
      [
        'const unmet = named.filter(({ field, was }) => !sameKeyPart(field, was, fieldOf(item, field)));',
        'const unmet = [] as typeof named;',
      ],
    ],
    foundBy: /changed \S+ for the key/,
    among: 'later',
  },
  {
    name: 'an undo that was undone itself still counts',
    edits: [
      ['const itself = undone.get(rowNameText(name));', 'const itself = undefined as Reversal | undefined;'],
    ],
    // A second guard reads the item, so no scenario makes it again.
    foundBy: 'test/import/history.test.ts',
  },
  {
    name: 'an undo says nothing of the rows that it leaves',
    edits: [['if (open > 0) summary.notTakenBack = open;', '']],
    foundBy: /and has left/,
    among: 'chains',
    seed: 177,
  },
  {
    name: 'an upsert makes what another job is about to make',
    edits: [['await holdElsewhere(job, elsewhere, deps);', '']],
    foundBy: /made key "[^"]+"/,
    among: 'bothWays',
    seed: 14,
  },
  {
    name: 'rows that differ only in what the server changes count as copies of each other',
    edits: [
      [
        'const variants = [...Map.groupBy(group, ({ body }) => opaquePart(body, known)).values()];',
        'const variants = [[...group]];',
      ],
    ],
    foundBy: 'test/import/lost-answers.slow.test.ts',
  },
  {
    name: 'an item that somebody has changed is never that of a lost row',
    edits: [
      [
        'known.acknowledged && !wasEdited(item, known) && isNotMadeOf(item, body, known)',
        'known.acknowledged && isNotMadeOf(item, body, known)',
      ],
    ],
    foundBy: 'test/import/lost-answers.slow.test.ts',
  },
  {
    name: 'an item is not found by a key that the server has kept in its own form',
    edits: [['for (const [key, found] of kept) items.set(key, found);', '']],
    foundBy: 'test/import/keys-kept.slow.test.ts',
  },
  {
    name: 'a restored backup sends what its store had sent since',
    edits: [['if (mayBeBehind) await checkStoreBehind(context);', '']],
    foundBy: /\d+ items for \d+ rows/,
    among: 'restored',
    seed: 2,
  },
  {
    name: 'items are archived as missing although rows of the file are invalid',
    edits: [
      ['const isInvalid = job.firstSentAt === undefined && counts.invalid > 0;', 'const isInvalid = false;'],
      ["if (row.state === 'invalid') seen.invalid += 1;", "if (row.state === 'invalid') seen.invalid += 0;"],
    ],
    foundBy: /archived \S+ as missing, and row|"keep", which was "archived": no row of it names that/,
    among: 'absent',
  },
  {
    name: 'all copies of a row are one item',
    edits: [
      [
        "return 'surplus' in left ? left : { item: left.shift() };",
        "return 'surplus' in left ? left : { item: left[0] };",
      ],
    ],
    foundBy: /./,
    among: 'stock',
  },
  {
    name: 'an item that was read for another copy counts as read for its row',
    isRare: true,
    edits: [['for (const item of [...items.values()].flat()) this.#deps.readings?.forget(item.id);', '']],
    foundBy: 'test/properties/exactly-once.test.ts',
  },
  {
    name: 'an item counts as hidden by the wall clock alone',
    isRare: true,
    edits: [
      [
        'const isOld = Math.min(ageByServer, ageOf(at, clock).least) >= MAX_LAG_MS;',
        'const isOld = clock.now() - at >= MAX_LAG_MS;',
      ],
    ],
    foundBy: 'test/properties/exactly-once.test.ts',
  },
  {
    name: "an item that the server's clock makes too old is not doubted",
    edits: [['|| mayBeMadeOf(item, row.body, this.#known)', '']],
    foundBy: 'test/import/settling.test.ts',
  },
  {
    name: 'a row without a stamp is not asked for the item of one that is equal but for it',
    isRare: true,
    edits: [['opaque: withStamps(normalisation.opaque, all)', 'opaque: normalisation.opaque']],
    foundBy: 'test/properties/exactly-once.test.ts',
  },
  {
    name: 'an undo skips a part of a row without a word',
    isRare: true,
    edits: [['if (!isIgnored) update.left', "if (!isIgnored && to === 'held') update.left"]],
    foundBy: 'test/properties/exactly-once.test.ts',
  },
  {
    name: 'a lost update is taken for the own one whatever another job has set since',
    isRare: true,
    edits: [['const later = await setSince(context, row);', 'const later = new Set<string>();']],
    foundBy: 'test/properties/exactly-once.test.ts',
  },
  {
    name: 'a file counts as applied although its rows were taken back',
    isRare: true,
    edits: [['const takenBack = [...(await reversals.takenBack(names)).values()];', 'const takenBack = [];']],
    foundBy: 'test/import/history.test.ts',
  },
  {
    name: 'an answer counts for whatever is sent later',
    isRare: true,
    edits: [
      ['return ordinal >= (ranges[at]?.from ?? Number.POSITIVE_INFINITY);', 'return ranges.length > 0;'],
    ],
    foundBy: 'test/import/gates.test.ts',
  },
  {
    name: 'a change by its own value is made again',
    isRare: true,
    edits: [
      [
        'if (repeated === undefined) return { gates: [] };',
        'if (repeated !== undefined || deps !== undefined) return { gates: [] };',
      ],
    ],
    foundBy: /for the second time/,
    among: 'chains',
  },
  {
    name: 'an export puts back what has changed since',
    edits: [['if (isSameTime(exported, item.updated_at)) return undefined;', 'return undefined;']],
    foundBy: /no row of it names that|and its file is of/,
    among: 'exported',
    seed: 3,
  },
  {
    name: 'an import that overwrote newer values counts as the edit of the exported ones',
    edits: [
      ['const isExplained = update.isOlder !== true && wanted.every', 'const isExplained = wanted.every'],
    ],
    foundBy: 'test/properties/exactly-once.test.ts',
  },
  {
    name: 'an older plan overwrites an item that somebody has created since',
    edits: [
      [
        "if (row.action !== 'create') return this.#sinceExport.issue(patch, update, item);",
        'if (row !== undefined) return this.#sinceExport.issue(patch, update, item);',
      ],
    ],
    foundBy: /and the plan was shown at/,
    among: 'later',
  },
  {
    name: 'what a list leaves out of its items counts as empty',
    edits: [['if (this.byId(reader).size === 0) return items;', 'return items;']],
    foundBy: /made key "[^"]+" again|no row of it names that/,
    among: 'short',
  },
  {
    name: 'a container is sent as a list shows it',
    edits: [['if (readings === 0 && isBuilt && !this.#context.readings.isBasis(itemId)) return false;', '']],
    foundBy: /no row of it names that/,
    among: 'stale',
    seed: 69,
  },
  {
    name: 'values are computed from a list that shows an older state',
    edits: [['const isBasis = isWhole && isListed !== true;', 'const isBasis = isWhole;']],
    foundBy: 'test/import/old-lists.test.ts',
  },
  {
    name: 'an edit of a row that was sent is lost',
    edits: [
      [
        '!isItem && known !== undefined && stored !== undefined && !this.#isSame(known, stored, row)',
        'false',
      ],
    ],
    foundBy: /is not as it was to be|made "Thing \d+" again/,
    among: 'returned',
    seed: 3,
  },
  {
    name: 'a list counts although this store has changed its items since',
    edits: [['if (recent.size === 0) return', 'if (recent.size >= 0) return']],
    foundBy: /is not as it was to be/,
    among: 'stale',
    seed: 22,
  },
];

/** Small wrong changes that were never there; looked for with PLANTED=all. */
export const OTHERS: Defect[] = [
  {
    name: 'another copy of an export puts back what the first has changed',
    edits: [['earlier.some((each) => each.field === field && sameField(field, each.from, to))', 'false']],
    foundBy: /no row of it names that|and its file is of/,
    among: 'exported',
  },
  {
    name: 'a dry run whose plan holds rows ends with 0',
    edits: [['rows.refused + rows.held +', "rows.refused + (summary.state === 'planned' ? 0 : rows.held) +"]],
    foundBy: /ended with 0 \(planned\)/,
    among: 'returned',
  },
  {
    name: 'a held row of a results file counts as done',
    edits: [
      [
        "new Set(['done', 'planned', 'sending', 'unknown', 'held'])",
        "new Set(['done', 'planned', 'sending', 'unknown'])",
      ],
    ],
    foundBy: /is not as it was to be/,
    among: 'returned',
  },
  {
    name: 'whether a change was made before is asked only before the lane is held',
    edits: [
      ['isRelative(row) ? Math.min(read, answers?.accounted ?? read) : read', 'read'],
      ['await confirmGates(job, deps, run, { only });', ''],
    ],
    foundBy: 'test/import/relative.test.ts',
  },
  {
    name: 'what was sent again while an undo waited is restored all the same',
    edits: [['await holdMadeAgain(held, deps);', '']],
    foundBy: 'test/import/undo.test.ts',
  },
  {
    name: 'what a plan has left unchanged is not looked at again',
    edits: [['return rows.length > 0;', 'return false;']],
    foundBy: 'test/import/overtaken.test.ts',
  },
  {
    name: 'an intent is not on disk before its request leaves',
    edits: [
      [
        'this.#waiting.push({ ordinal: move.ordinal, resolve, reject });',
        'resolve(true); this.#waiting.push({ ordinal: move.ordinal, resolve, reject });',
      ],
    ],
    foundBy: /./,
  },
  {
    name: 'a move does not look at the state that it names',
    edits: [["(from !== undefined && row?.['state'] !== from) ||", '']],
    foundBy: 'test/ledger/sqlite.test.ts',
  },
  {
    name: 'two rows may own one item',
    edits: [['if (other === undefined) return false;', 'return false;']],
    foundBy: 'test/ledger/sqlite.test.ts',
  },
  {
    name: 'a commit does not look at the lease',
    edits: [['if (options.lease !== undefined) this.#checkLease(options.lease.token);', '']],
    foundBy: 'test/ledger/sqlite.test.ts',
  },
  {
    name: 'a silent holder counts as gone',
    edits: [['silent.has(id) ? client.timeoutMs : 0', '0']],
    foundBy: 'test/properties/exactly-once.test.ts',
  },
  {
    name: 'two jobs may claim one file',
    edits: [['if (owner !== undefined && owner !== jobId) throw new AlreadyClaimedError(owner);', '']],
    foundBy: 'test/ledger/sqlite.test.ts',
  },
  {
    name: 'a cancelled job may still begin to send',
    edits: [["if (row?.['state'] === 'cancelled') throw new JobCancelledError(jobId);", '']],
    foundBy: 'test/ledger/sqlite.test.ts',
  },
  {
    name: 'a row that keeps failing is sent for ever',
    edits: [['each.row.attempts >= MAX_ATTEMPTS', 'each.row.attempts < 0']],
    foundBy: 'test/import/never-ending.slow.test.ts',
  },
  {
    name: 'a full plan ends a job as an error',
    edits: [['this.#parts.feed.stopCreates();', 'this.#parts.state.fail(error);']],
    foundBy: 'test/import/standing-still.slow.test.ts',
  },
  {
    name: 'a page is counted twice',
    edits: [['if (!this.#ids.add(item.id)) return false;', 'this.#ids.add(item.id);']],
    foundBy: 'test/listing/read-items.test.ts',
  },
  {
    name: 'a removal is not seen',
    edits: [["if (this.#removed > 0) return 'removed';", '']],
    foundBy: 'test/listing/read-items.test.ts',
  },
  {
    name: 'a 429 is not waited for',
    edits: [['this.#pausedUntil = Math.max(this.#pausedUntil, now + waitMs);', '']],
    foundBy: 'test/api/pacer.slow.test.ts',
  },
  {
    name: 'the key goes to other machines over plain http',
    edits: [
      ["if (url.protocol === 'http:' && !isLoopback(url.hostname)) {", "if (url.protocol === 'gopher:') {"],
    ],
    foundBy: 'test/api/client.test.ts',
  },
  {
    name: 'custom fields that the row does not name are lost',
    edits: [['?? { ...item.custom_fields }) as CustomFields;', '?? {}) as CustomFields;']],
    foundBy: 'test/import/updates.test.ts',
  },
  {
    name: 'an undo takes back what somebody has changed since',
    edits: [
      [
        "return { open: of('open'), drifted: of('changed'), all, made };",
        'return { open: all, drifted: [], all };',
      ],
    ],
    foundBy: 'test/import/undo.test.ts',
  },
  {
    name: 'an undo archives items that somebody has changed',
    edits: [
      [
        'return { open: drifted.length === 0 ? all : [], drifted, all, made };',
        'return { open: all, drifted: [], all };',
      ],
    ],
    foundBy: 'test/import/undo.test.ts',
  },
  {
    name: 'each equal row of the next file is known, however many were sent',
    edits: [['taken.set(jobId, (taken.get(jobId) ?? new Bits()).add(ordinal));', '']],
    foundBy: 'test/import/known-rows.slow.test.ts',
  },
  {
    name: 'a list whose columns have changed is created again',
    edits: [['if (names.size < tried * DISTINCT) names.clear();', 'names.clear();']],
    foundBy: 'test/import/known-rows.slow.test.ts',
  },
  {
    name: 'an identifier that several rows share tells one of them',
    edits: [['earlier !== undefined && isShared !== true', 'earlier !== undefined && hits.length >= 0']],
    foundBy: 'test/import/known-rows.slow.test.ts',
  },
  {
    name: 'amounts are rounded down',
    edits: [
      [
        'return result.div(round).round(0, Big.roundHalfUp).times(round);',
        'return result.div(round).round(0, Big.roundDown).times(round);',
      ],
    ],
    foundBy: 'test/import/relative.test.ts',
  },
  {
    name: 'sums of money ignore the currency',
    edits: [['const code = currency.toLowerCase(); const scaled', "const code = 'usd';\n    const scaled"]],
    foundBy: 'test/export/value-totals.test.ts',
  },
  {
    name: 'a converted amount is rounded half down',
    edits: [
      [
        'return new Big(value).times(rate).round(digits, Big.roundHalfUp).toNumber();',
        'return new Big(value).times(rate).round(digits, Big.roundDown).toNumber();',
      ],
    ],
    foundBy: 'test/import/check-currency.slow.test.ts',
  },
  {
    name: 'a fire that was missed long ago is made up for',
    edits: [["if (!onTime && (catchUp.policy === 'skip' || now - newest > catchUp.ageMs)) return [];", '']],
    foundBy: 'test/worker/worker.slow.test.ts',
  },
  {
    name: 'a row is free although an equal one is in doubt',
    edits: [
      [
        'if (alike.length === 0) this.#result.missing.push({ lost: row, others });',
        'if (alike.length >= 0) this.#result.missing.push({ lost: row, others });',
      ],
    ],
    foundBy: 'test/import/settling.test.ts',
  },
  {
    name: "an answer that shows another row's item ends the row",
    edits: [['unsettle.run(other.job, other.ordinal);', '']],
    foundBy: 'test/ledger/sqlite.test.ts',
  },
  {
    name: 'a lost answer counts as not applied',
    edits: [
      [
        "if (error.applied === 'unknown') {\n      const issues",
        "if (error.code === 'timeout') {\n      const issues",
      ],
    ],
    foundBy: /\d+ items for \d+ rows/,
  },
  {
    name: 'a lost answer counts as a refusal',
    edits: [
      ["from: 'sending', to: 'unknown', requestId, issues, quietMs }", "to: 'refused', requestId, issues }"],
    ],
    foundBy: /nothing refuses it/,
  },
  {
    name: 'a timeout counts as a reset',
    edits: [['error instanceof RequestTimeoutError ? afterTimeout : afterReset', 'afterReset']],
    foundBy: /\d+ items for \d+ rows/,
  },
  {
    name: 'a lost request has no quiet period',
    edits: [
      ['if (wait === 0) return;\n    toldMs', 'if (wait < Number.POSITIVE_INFINITY) return;\n    toldMs'],
    ],
    foundBy: /\d+ items for \d+ rows/,
  },
  {
    name: 'absence is believed at the first look',
    edits: [['if (first.length === 0) return;', 'return release(context, first);']],
    foundBy: /\d+ items for \d+ rows/,
  },
  {
    name: 'an equal item counts as new, however old it is',
    edits: [
      ['if (seenAt < lost.sequence) return', 'if (seenAt < 0) return'],
      [
        'if (lost.mark === null || Number.isNaN(created)',
        'if (lost.mark !== undefined || Number.isNaN(created)',
      ],
    ],
    foundBy: /somebody else's/,
  },
  {
    name: "the second look trusts a server's clock that may have jumped",
    edits: [["clockRanOn ? 'newest' : 'deep'", "'newest'"]],
    foundBy: /\d+ items for \d+ rows/,
  },
  {
    name: 'a commit does not wait for the disk',
    edits: [
      [
        'return this.#db.durably(() => this.#move(jobId, moves, options));',
        'return this.#db.patiently(() => this.#db.relaxed(() => this.#move(jobId, moves, options)));',
      ],
    ],
    foundBy: 'test/power-cuts/power-cuts.slow.test.ts',
  },
  {
    name: 'the lane of a process that has gone stays taken',
    edits: [
      [
        'return this.#isHere(row) && !this.#processes.mayStillRun({ host, pid: row.pid, started: row.started });',
        'return false;',
      ],
    ],
    foundBy: /did not end in \d+ runs|the work has not ended/,
  },
  {
    name: 'an upsert does not wait for a create of its key that another job has lost',
    edits: [['const waitMs = await quietOfOthers(job, keys, quietMs, deps);', 'const waitMs = 0;']],
    foundBy: /the lane was taken at \d+, and what left at/,
  },
  {
    name: 'rows that a job has sent are not known to the next file',
    edits: [
      [
        "await moveKnown(job, deps, seen, answer === 'skip' ? answer : advice(job, seen)); await deps.ledger.known.own(job.id, deps.clock.now());",
        "await moveKnown(job, deps, seen, answer === 'skip' ? answer : advice(job, seen));",
      ],
    ],
    foundBy: 'test/import/known-rows.slow.test.ts',
  },
  {
    name: 'an undo takes back changes that were held and never made',
    edits: [['row.itemId !== null && (hasEffect(row) || isLeftUpdate(row))', 'row.itemId !== null']],
    foundBy: 'test/import/undo.test.ts',
  },
  {
    name: 'an answer that comes after the cancel of its job is not recorded',
    edits: [['if (this.#failure instanceof JobCancelledError && outcomes.length > 0)', 'if (false)']],
    foundBy: 'test/import/history.test.ts',
  },
  {
    name: 'what a job wrote after its undo was planned is in no undo',
    edits: [['await stageRest(job, undo, deps);', '']],
    foundBy: 'test/import/history.test.ts',
  },
  {
    name: 'a raise that was taken back in part counts as taken back',
    edits: [['return !effectOf(job, row).left.some((each) => each.field === field);', 'return true;']],
    foundBy: 'test/import/history.test.ts',
  },
  {
    name: 'sent rows forget their collections when the job is mended',
    edits: [['job.firstSentAt === undefined ? resolved', 'true ? resolved']],
    foundBy: 'test/import/history.test.ts',
  },
  {
    name: 'a watched file is archived before its end is stored',
    edits: [["message('file_grew', {})); await runs.save(run);", "message('file_grew', {}));"]],
    foundBy: 'test/worker/hot-folder-steps.slow.test.ts',
  },
  {
    name: 'a line of rejects that nobody has edited is read as text',
    edits: [
      [
        "return from === '' ? cell : cellOf((kind ?? 't') === 't' ? clear(from) : from, kind);",
        'return cell;',
      ],
    ],
    foundBy: 'test/properties/workbook-lives.slow.test.ts',
  },
  {
    name: 'a line of rejects is taken for a row of another sheet',
    edits: [['sheet === undefined ? rows : rows.filter(', 'true ? rows : rows.filter(']],
    foundBy: 'test/properties/workbook-lives.slow.test.ts',
  },
  {
    name: 'a sold item is deducted at the value that it has as a sold one',
    edits: [["'gone' : leaving(item), old, item);", "'gone' : leaving(item), item ?? old, item);"]],
    foundBy: 'test/properties/report-lives.slow.test.ts',
  },
  {
    name: 'a prune deletes the readings of reported months',
    edits: [['!needed.has(each) && !months.has(each.entry.at) &&', '!needed.has(each) &&']],
    foundBy: 'test/properties/report-lives.slow.test.ts',
  },
  {
    name: 'a report is compared with one that nobody has received',
    edits: [['return reported && rows !== null;', 'return rows !== null;']],
    foundBy: 'test/properties/report-lives.slow.test.ts',
  },
];

export const DEFECTS: Defect[] = [...ONCE_THERE, ...BESIDE, ...OTHERS];

/** Made by `npm run docs:flags` from the schemas in command-options.ts: change those. --help reads it without zod. */
const global = {
  'api-url': {"type":"string","describe":"Base address of the API [env SHELFLIFT_API_URL].","group":"Global"},
  'profile': {"type":"string","describe":"Saved address and key (shelflift profile add); overrides the environment.","group":"Global"},
  'sandbox': {"type":"boolean","describe":"Use a sandbox API on this machine: no server, no key.","group":"Global"},
  'store': {"type":"string","describe":"Ledger: an SQLite file or postgres://… [env SHELFLIFT_STORE].","group":"Global"},
  'max-rate': {"type":"number","describe":"Maximum requests per second.","group":"Global"},
  'max-concurrency': {"type":"number","describe":"Maximum requests in flight (at most 64).","group":"Global"},
  'timeout': {"type":"string","describe":"Timeout for each request.","group":"Global","default":"30s"},
  'wait': {"type":"string","describe":"Maximum wait for the API (default: 30s at the start, 10m later, 24h after a 429).","group":"Global"},
  'wait-for-limit': {"type":"boolean","describe":"Wait for room in the plan's item limit instead of parking.","group":"Global"},
  'quiet-period': {"type":"string","describe":"How long a request whose answer was lost may still take effect (default: 10s).","group":"Global"},
  'json': {"type":"boolean","describe":"Print one JSON object on stdout, and nothing else.","group":"Global"},
  'quiet': {"type":"boolean","describe":"Show no progress.","group":"Global"},
  'progress': {"choices":["text","json"],"describe":"Format of progress and errors on stderr; json writes one object per line.","group":"Global"},
  'language': {"choices":["en","de"],"describe":"Language of messages (default: the language of the terminal; en without a terminal).","group":"Global"},
  'color': {"choices":["auto","always","never"],"describe":"Colours (auto: on a terminal, unless NO_COLOR is set).","group":"Global","default":"auto"},
  'verbose': {"type":"boolean","describe":"Log each request to stderr; show stack traces.","group":"Global"},
  'log-file': {"type":"string","describe":"Append each request to this file, as JSON lines.","group":"Global"},
  'yes': {"type":"boolean","describe":"Answer yes to every confirmation.","group":"Global"},
} as const;

const files = {
  'file': {"type":"string","describe":"CSV, XLSX, XLS or ODS file; - is standard input.","group":"Options","positional":true,"array":true,"demandOption":true},
} as const;

const asking = {
  'ask': {"type":"boolean","describe":"Ask how to correct the rows, even if standard input is not a terminal: one answer per line.","group":"Options"},
  'no-ask': {"type":"boolean","describe":"Never ask.","group":"Options"},
  'save-as': {"type":"string","describe":"Save how the file is read, with all answers, as a recipe: --recipe NAME repeats it.","group":"Map"},
} as const;

const importing = {
  'sheet': {"type":"string","describe":"Sheet of a workbook, or \"all\".","group":"Read"},
  'header-row': {"type":"number","describe":"Row that holds the headers; 0 if there are none.","group":"Read"},
  'delimiter': {"type":"string","describe":"CSV: one character, or \"tab\".","group":"Read"},
  'encoding': {"type":"string","describe":"CSV: utf-8, utf-16le, windows-1252 …","group":"Read"},
  'decimal': {"choices":["point","comma"],"describe":"Decimal mark, if the file leaves it unclear.","group":"Read"},
  'strict': {"type":"boolean","describe":"Do not use the likeliest reading of a doubtful value: ask, or report a problem.","group":"Read"},
  'template': {"type":"string","describe":"Import template: the name of a template, a YAML file, or none.","group":"Map"},
  'recipe': {"type":"string","describe":"Read the file with a recipe (saved by import --save-as NAME).","group":"Map"},
  'map': {"type":"string","describe":"FIELD=COLUMN: the column that holds a field (repeatable).","group":"Map","repeatable":true},
  'default': {"type":"string","describe":"FIELD=VALUE for new items without a value; in an update, for fields without a column (repeatable).","group":"Map","repeatable":true},
  'rate': {"type":"string","describe":"CODE=RATE, such as USD=0.92: converts amounts in this currency to that of the items (repeatable).","group":"Map","repeatable":true},
  'collection': {"type":"string","describe":"Name or id of the collection for rows that name none.","group":"Map"},
  'keep-unknown': {"type":"boolean","describe":"Turn unmapped columns into custom fields (default for new items without a template).","group":"Map"},
  'drop-unknown': {"type":"boolean","describe":"Leave unmapped columns out.","group":"Map"},
  'mode': {"choices":["create","update","upsert"],"describe":"What to do with the rows (default: create).","group":"Map"},
  'missing': {"choices":["archive"],"describe":"With --mode upsert and --collection: archive the items of the collection that are not in the file.","group":"Map"},
  'match': {"type":"string","describe":"FIELD[,FIELD] that identifies the item of a row, with update and upsert (default: id).","group":"Map"},
  'stamp': {"type":"string","describe":"custom_fields.NAME that marks each created item with its job and row.","group":"Map"},
  'dry-run': {"type":"boolean","describe":"Only plan, and show the changes; jobs apply sends them.","group":"Send"},
  'force': {"type":"boolean","describe":"Import a file again, with all of its rows.","group":"Send"},
  'out-dir': {"type":"string","describe":"Folder for results and rejects (default: next to the file).","group":"Send"},
  'check-similar': {"type":"boolean","describe":"Mark rows that look like existing items; see --similar.","group":"Safety"},
  'skip-invalid': {"type":"boolean","describe":"Send the valid rows even if others are invalid.","group":"Safety"},
  'no-settle': {"type":"boolean","describe":"Hold rows whose answers were lost, and never look them up: for keys without items:read.","group":"Safety"},
} as const;

const planning = {
  'plan': {"type":"string","describe":"Write the plan to this file for review, with changes in colour; .xlsx or .html.","group":"Send"},
} as const;

const running = {
  'first': {"type":"number","describe":"Send this many rows, some of each kind of change, then pause.","group":"Send"},
  'only-new': {"type":"boolean","describe":"Leave out rows that any job of this store has sent before.","group":"Send"},
  'all-rows': {"type":"boolean","describe":"Create rows even if they were sent before.","group":"Send"},
  'skip-invalid': {"type":"boolean","describe":"Send the valid rows even if others are invalid.","group":"Safety"},
  'similar': {"choices":["skip","create"],"describe":"What to do with rows that --check-similar marked.","group":"Safety"},
  'max-refused': {"type":"number","describe":"Park after this many refused rows (default: 100 in a row, or 20%).","group":"Safety"},
  'max-changes': {"type":"number","describe":"Ask before changing more items than this (default: 500).","group":"Safety"},
  'max-missing': {"type":"string","describe":"Refuse --missing archive if it would archive more items than this: a share such as 20%, or a number (default: 10%).","group":"Safety"},
  'on-drift': {"choices":["hold","skip","overwrite"],"describe":"What to do with items that changed after the plan, or since the file was exported (default: hold).","group":"Safety"},
  'recheck': {"type":"string","describe":"Before changing an item, read it again if its data is older than this; 0s, 5m, never (default: 60s).","group":"Safety"},
} as const;

const takingOver = {
  'take-over': {"type":"boolean","describe":"Take over from a process on another machine that seems to be running; use it only if that machine is gone.","group":"Safety"},
} as const;

const changing = {
  'first': {"type":"number","describe":"Send this many rows, some of each kind of change, then pause.","group":"Send"},
  'skip-invalid': {"type":"boolean","describe":"Send the valid rows even if others are invalid.","group":"Safety"},
  'max-refused': {"type":"number","describe":"Park after this many refused rows (default: 100 in a row, or 20%).","group":"Safety"},
  'max-changes': {"type":"number","describe":"Ask before changing more items than this (default: 500).","group":"Safety"},
  'on-drift': {"choices":["hold","skip","overwrite"],"describe":"What to do with items that changed after the plan, or since the file was exported (default: hold).","group":"Safety"},
  'recheck': {"type":"string","describe":"Before changing an item, read it again if its data is older than this; 0s, 5m, never (default: 60s).","group":"Safety"},
} as const;

const changes = {
  'change': {"type":"string","describe":"FIELD=VALUE; 'FIELD=<clear>' empties a field; tags+=VALUE and tags-=VALUE add and remove a tag; 'estimated_value*=1.10', += and -= raise or lower a value, and so does 'estimated_value+=10%'.","group":"Options","positional":true,"array":true,"demandOption":true},
} as const;

const setting = {
  'ids-from': {"type":"string","describe":"CSV, XLSX or plain list with the ids of the items.","group":"Select"},
  'from': {"type":"string","describe":"CSV, XLSX, XLS or ODS file that names the items by --match; FIELD=@COLUMN takes a value from it. - is standard input.","group":"Select"},
  'match': {"type":"string","describe":"FIELD=COLUMN[,FIELD=COLUMN]: fields that identify an item, and their columns in the --from file (default: id).","group":"Select"},
  'status': {"type":"string","describe":"Items with this status, instead of a list (repeatable).","group":"Select","repeatable":true},
  'collection': {"type":"string","describe":"Items of this collection, by name or id, instead of a list.","group":"Select"},
  'where': {"type":"string","describe":"Only items that match this expression, such as 'brand=Hasbro' or 'estimated_value>=50'.","group":"Select","repeatable":true},
  'round': {"type":"string","describe":"Round new values to a multiple of this, such as 0.50, with halves rounded up; none keeps all digits (default: the decimal places of the currency).","group":"Map"},
  'sheet': {"type":"string","describe":"Sheet of a workbook, or \"all\".","group":"Read"},
  'header-row': {"type":"number","describe":"Row that holds the headers; 0 if there are none.","group":"Read"},
  'delimiter': {"type":"string","describe":"CSV: one character, or \"tab\".","group":"Read"},
  'encoding': {"type":"string","describe":"CSV: utf-8, utf-16le, windows-1252 …","group":"Read"},
  'decimal': {"choices":["point","comma"],"describe":"Decimal mark, if the file leaves it unclear.","group":"Read"},
  'currency': {"type":"string","describe":"Change only values in this currency, such as USD.","group":"Select"},
  'dry-run': {"type":"boolean","describe":"Only plan, and show the changes; jobs apply sends them.","group":"Send"},
  'out-dir': {"type":"string","describe":"Folder for results and rejects (default: next to the list, or the current folder).","group":"Send"},
} as const;

const undoing = {
  'row': {"type":"string","describe":"Only these rows of the file: 3,7-9.","group":"Select"},
  'sheet': {"type":"string","describe":"Sheet of the rows, if several sheets have these rows.","group":"Select"},
  'dry-run': {"type":"boolean","describe":"Only plan, and show the changes; jobs apply sends them.","group":"Send"},
  'out-dir': {"type":"string","describe":"Folder for the files (default: the job's folder).","group":"Send"},
} as const;

const itemExport = {
  'status': {"type":"string","describe":"Only these statuses, comma-separated (default: all).","group":"Select","repeatable":true},
  'collection': {"type":"string","describe":"Only this collection, by name or id.","group":"Select"},
  'where': {"type":"string","describe":"Only items that match this expression, such as 'brand=Hasbro' or 'estimated_value>=50'.","group":"Select","repeatable":true},
  'changed-since-last': {"type":"string","describe":"Only items that were created, changed or removed since the last export of this NAME; the column _change says which.","group":"Select"},
  'became': {"type":"string","describe":"With --changed-since-last: only items that changed to this status since then; the first run sets the starting point.","group":"Select"},
  'since': {"type":"string","describe":"With --became: the first run writes the items that changed to the status since this day (2026-10-01), from a stored reading.","group":"Select"},
  'time-zone': {"type":"string","describe":"Time zone of days and months, such as Europe/Berlin (default: this machine's).","group":"Select"},
  'template': {"type":"string","describe":"Export layout: the name of a layout, or a YAML file.","group":"Write"},
  'locale': {"type":"string","describe":"CSV: write dates, money and numbers in the format of this locale (de-DE); do not import such a file.","group":"Write"},
} as const;

const exporting = {
  'out': {"type":"string","describe":"File to write; .csv, .xlsx or .ndjson sets the format; - is stdout.","group":"Write"},
  'columns': {"type":"string","describe":"Columns to write, in this order, comma-separated; custom_fields stands for all custom fields.","group":"Write"},
  'delimiter': {"type":"string","describe":"CSV: one character, or \"tab\" (default: a comma).","group":"Write"},
  'decimal': {"choices":["point","comma",".",","],"describe":"CSV: decimal mark (default: point, as an import expects).","group":"Write"},
  'bom': {"type":"boolean","describe":"CSV: start with a byte order mark, for Excel.","group":"Write"},
  'require-stable': {"type":"boolean","describe":"Write nothing, and exit with 3, if the list changes while it is read.","group":"Safety"},
  'fresh': {"type":"boolean","describe":"Read everything again, even if an interrupted export could continue.","group":"Read"},
} as const;

const itemReport = {
  'status': {"type":"string","describe":"Only these statuses, comma-separated (default: all).","group":"Select","repeatable":true},
  'collection': {"type":"string","describe":"Only this collection, by name or id.","group":"Select"},
  'where': {"type":"string","describe":"Only items that match this expression, such as 'brand=Hasbro' or 'estimated_value>=50'.","group":"Select","repeatable":true},
  'out': {"type":"string","describe":"File to write; .xlsx, .html or .csv sets the format.","group":"Write"},
  'locale': {"type":"string","describe":"Page and CSV: write numbers, money and times in the format of this locale (de-DE), for people.","group":"Write"},
  'by': {"type":"string","describe":"Also group by this field, such as custom_fields.shelf (repeatable).","group":"Select","repeatable":true},
  'currency': {"type":"string","describe":"Only items with this currency.","group":"Select"},
} as const;

const salesReport = {
  'out': {"type":"string","describe":"File to write; .xlsx, .html or .csv sets the format.","group":"Write"},
  'locale': {"type":"string","describe":"Page and CSV: write numbers, money and times in the format of this locale (de-DE), for people.","group":"Write"},
  'currency': {"type":"string","describe":"Currency of the amounts, which the API does not name. With it, amounts are shown in this currency instead of minor units (CSV: net_payout instead of net_payout_cents).","group":"Write"},
} as const;

const asOf = {
  'as-of': {"type":"string","describe":"Show the state at the end of this day (2026-10-31), from a reading that the store keeps.","group":"Select"},
  'time-zone': {"type":"string","describe":"Time zone of days and months, such as Europe/Berlin (default: this machine's).","group":"Select"},
} as const;

const period = {
  'period': {"type":"string","describe":"Cover this day, month or year (2026-10), from readings that the store keeps.","group":"Select"},
  'time-zone': {"type":"string","describe":"Time zone of days and months, such as Europe/Berlin (default: this machine's).","group":"Select"},
} as const;

const month = {
  'month': {"type":"string","describe":"The month: 2026-10.","group":"Options","positional":true,"demandOption":true},
  'out': {"type":"string","describe":"File to write: a .zip.","group":"Write"},
  'currency': {"type":"string","describe":"Currency of the amounts, which the API does not name. With it, amounts are shown in this currency instead of minor units (CSV: net_payout instead of net_payout_cents).","group":"Write"},
  'time-zone': {"type":"string","describe":"Time zone of days and months, such as Europe/Berlin (default: this machine's).","group":"Select"},
} as const;

const opening = {
  'open': {"type":"boolean","describe":"Open the file after it is written.","group":"Options"},
} as const;

const replacing = {
  'overwrite': {"type":"boolean","describe":"Replace the --out file even if it was edited, or was not written by shelflift.","group":"Write"},
} as const;

const verifying = {
  'file': {"type":"string","describe":"File that an export wrote.","group":"Options","positional":true,"demandOption":true},
  'live': {"type":"boolean","describe":"Also read the API again and compare it with the file.","group":"Options"},
} as const;

const diffing = {
  'before': {"type":"string","describe":"The earlier export: CSV, XLSX or NDJSON.","group":"Options","positional":true,"demandOption":true},
  'after': {"type":"string","describe":"The later export; its format may differ.","group":"Options","positional":true,"demandOption":true},
  'by': {"type":"string","describe":"Fields that identify an item, comma-separated (default: id).","group":"Select"},
  'out': {"type":"string","describe":"Write the differences for review; .xlsx or .html sets the format.","group":"Write"},
} as const;

const jobId = {
  'id': {"type":"string","describe":"Id of a job, its first characters, or \"last\".","group":"Options","positional":true,"demandOption":true},
} as const;

const explaining = {
  'item': {"type":"string","describe":"Id of an item, or at least its first 8 characters.","group":"Options","positional":true,"demandOption":true},
  'offline': {"type":"boolean","describe":"Do not read the item from the API; show only the data of the store.","group":"Options"},
} as const;

const showing = {
  'changes': {"type":"boolean","describe":"Show the item of each row before and after its change.","group":"Options"},
  'follow': {"type":"boolean","describe":"Watch the job until it has ended.","group":"Options"},
} as const;

const mending = {
  'template': {"type":"string","describe":"none: read the columns as if no template were known; earlier corrections of columns are dropped.","group":"Map"},
  'map': {"type":"string","describe":"FIELD=COLUMN: the column that holds a field (repeatable).","group":"Map","repeatable":true},
  'ignore': {"type":"string","describe":"COLUMN that is not used (repeatable).","group":"Map","repeatable":true},
  'keep': {"type":"string","describe":"COLUMN that becomes a custom field (repeatable).","group":"Map","repeatable":true},
  'word': {"type":"string","describe":"FIELD:WORD=MEANING: 'condition:C7=mint_on_card'; without MEANING, the word is ignored (repeatable).","group":"Map","repeatable":true},
  'default': {"type":"string","describe":"FIELD=VALUE for rows without a value (repeatable).","group":"Map","repeatable":true},
  'option': {"type":"string","describe":"FIELD:OPTION=VALUE, as under a template's columns: 'release_year:approximate=read' (repeatable).","group":"Map","repeatable":true},
  'rate': {"type":"string","describe":"CODE=RATE, such as USD=0.92: converts amounts in this currency (repeatable).","group":"Map","repeatable":true},
  'row': {"type":"string","describe":"Rows of the file, for --set, --omit, --accept and --item: 3,7-9.","group":"Select"},
  'sheet': {"type":"string","describe":"Sheet of the row, if several sheets have this row.","group":"Select"},
  'set': {"type":"string","describe":"COLUMN=TEXT: corrects a cell of --row (repeatable).","group":"Write","repeatable":true},
  'item': {"type":"string","describe":"Id of the item for --row: one of the candidates shown for this row.","group":"Write"},
  'omit': {"type":"boolean","describe":"Leave --row out.","group":"Write"},
  'accept': {"type":"boolean","describe":"Accept --row as an item, although it looks like a total.","group":"Write"},
  'accept-reason': {"type":"string","describe":"CODE: accept all rows with this problem as items; only summary_row (repeatable).","group":"Write","repeatable":true},
  'omit-reason': {"type":"string","describe":"CODE or CODE:COLUMN: leave out all rows with this problem (repeatable).","group":"Write","repeatable":true},
  'undo': {"type":"boolean","describe":"Undo the last correction.","group":"Write"},
  'save-template': {"type":"string","describe":"Save the current use of the columns as a template in this YAML file.","group":"Write"},
} as const;

const pruning = {
  'older-than': {"type":"string","describe":"Jobs without activity for this long (default and minimum: 90d); they can no longer be undone.","group":"Options"},
} as const;

const dryRun = {
  'dry-run': {"type":"boolean","describe":"Only list the jobs.","group":"Options"},
} as const;

const results = {
  'out-dir': {"type":"string","describe":"Folder for the files.","group":"Options"},
} as const;

const resolving = {
  'row': {"type":"string","describe":"Rows of the file: 3,7-9.","group":"Options","demandOption":true},
  'sheet': {"type":"string","describe":"Sheet of the row, if several sheets have this row.","group":"Options"},
  'as': {"type":"string","describe":"For a changed item: theirs or mine. For a lost answer: created:ITEM_ID, retry (the item does not exist) or skip.","group":"Options","demandOption":true},
} as const;

const config = {
  'config': {"type":"string","describe":"Profiles, schedules and watched folders (default: shelflift.yaml in this folder, if there is one).","group":"Options"},
} as const;

const working = {
  'once': {"type":"boolean","describe":"Run everything that is queued or due, then end.","group":"Options"},
  'check': {"type":"boolean","describe":"Report problems in the configuration; if there are none, list the next runs.","group":"Options"},
  'connect': {"type":"boolean","describe":"With --check: also log in to every server of the configuration; nothing is delivered.","group":"Options"},
  'days': {"type":"number","describe":"With --check: how many days ahead (default: 7).","group":"Options"},
  'grace': {"type":"string","describe":"After SIGTERM: how long running jobs may take to end or park (default: 30s).","group":"Options"},
  'health': {"type":"string","describe":"HOST:PORT of /healthz, /readyz and /metrics; overrides the configuration.","group":"Options"},
} as const;

const scheduleName = {
  'name': {"type":"string","describe":"Name of the schedule in the configuration.","group":"Options","positional":true,"demandOption":true},
} as const;

const dupes = {
  'out': {"type":"string","describe":"CSV or XLSX file to write, with an action column (keep, archive) to fill in and import.","group":"Options"},
  'close': {"type":"boolean","describe":"Also report names that differ by a letter or two.","group":"Options"},
  'archived': {"type":"boolean","describe":"Include archived items.","group":"Options"},
  'where': {"type":"string","describe":"Only items that match this expression, such as 'brand=Hasbro' or 'estimated_value>=50'.","group":"Select","repeatable":true},
  'suggest': {"type":"boolean","describe":"Fill in the action column: keep the oldest item that is owned, archive the other owned ones.","group":"Options"},
} as const;

const input = {
  'file': {"type":"string","describe":"CSV, XLSX, XLS or ODS file; - is standard input.","group":"Options","positional":true,"demandOption":true},
} as const;

const listing = {
  'limit': {"type":"number","describe":"Maximum number of jobs, runs and schedules to list (default: 50).","group":"Options"},
  'state': {"choices":["planned","running","paused","parked_limit","parked_unreachable","parked_unauthorised","parked_refused","parked_disk","interrupted","cancelled","done","queued","delivering","failed","parked_poison"],"describe":"Only jobs and runs in this state.","group":"Options"},
  'since': {"type":"string","describe":"Only jobs and runs that began within this time, such as 7d.","group":"Options"},
} as const;

const reading = {
  'header-row': {"type":"number","describe":"Row that holds the headers; 0 if there are none.","group":"Read"},
  'delimiter': {"type":"string","describe":"CSV: one character, or \"tab\".","group":"Read"},
  'encoding': {"type":"string","describe":"CSV: utf-8, utf-16le, windows-1252 …","group":"Read"},
  'sheet': {"type":"string","describe":"Sheet of a workbook.","group":"Read"},
} as const;

const inferring = {
  'out': {"type":"string","describe":"File to write (default: stdout).","group":"Write"},
} as const;

const checking = {
  'template': {"type":"string","describe":"Import template: the name of a template, or a YAML file.","group":"Map","demandOption":true},
  'rows': {"type":"number","describe":"Rows to show (default: 5).","group":"Options"},
  'decimal': {"choices":["point","comma"],"describe":"Decimal mark, if the file leaves it unclear.","group":"Read"},
} as const;

const templateName = {
  'name': {"type":"string","describe":"Shipped template or layout, or the YAML file of a template.","group":"Options","positional":true,"demandOption":true},
} as const;

const rememberedName = {
  'name': {"type":"string","describe":"Name of a recipe, or of remembered answers.","group":"Options","positional":true,"demandOption":true},
} as const;

const form = {
  'out': {"type":"string","describe":"File to write, ending in .xlsx.","group":"Options","positional":true},
} as const;

const assistant = {
  'root': {"type":"string","describe":"Folder whose files the assistant may read and add to (repeatable).","group":"Options","repeatable":true,"demandOption":true},
} as const;

const page = {
  'file': {"type":"string","describe":"CSV, XLSX, XLS or ODS file to import.","group":"Options","positional":true},
  'port': {"type":"number","describe":"Port; 0 picks a free port (default: 4748, or a free port).","group":"Options"},
  'no-open': {"type":"boolean","describe":"Only print the address; open no browser.","group":"Options"},
} as const;

const newProfile = {
  'name': {"type":"string","describe":"A name of your choice.","group":"Options","positional":true,"demandOption":true},
  'key-env': {"type":"string","describe":"Read the key from this environment variable each time, instead of saving it.","group":"Options"},
} as const;

const profileName = {
  'name': {"type":"string","describe":"Name, as in profile list.","group":"Options","positional":true,"demandOption":true},
} as const;

const copying = {
  'from': {"type":"string","describe":"Store to copy: a file or postgres://…","group":"Options","demandOption":true},
  'to': {"type":"string","describe":"Empty store to copy into: a file or postgres://…","group":"Options","demandOption":true},
} as const;

const backup = {
  'file': {"type":"string","describe":"File to create; it can be used with --store directly.","group":"Options","positional":true,"demandOption":true},
} as const;

const sandbox = {
  'port': {"type":"number","describe":"Port; 0 picks a free port.","group":"Options","default":4747},
  'host': {"type":"string","describe":"Address to listen on (default: 127.0.0.1).","group":"Options"},
  'data': {"type":"string","describe":"SQLite file that keeps the data (default: in memory).","group":"Options"},
  'seed': {"type":"number","describe":"Fill the server with invented toys; the same number gives the same toys.","group":"Options"},
  'seed-items': {"type":"number","describe":"How many toys (default: 500).","group":"Options"},
  'currency': {"type":"string","describe":"Currency of item values.","group":"Options"},
  'rate-limit': {"type":"string","describe":"Requests per interval, such as 100/60s (default: none).","group":"Options"},
  'limiter': {"choices":["fixed","sliding","bucket"],"describe":"Kind of rate limit (default: fixed).","group":"Options"},
  'headers': {"choices":["draft3","draft3-on-429","policy","structured","retry-after","epoch","none"],"describe":"Rate limit headers (default: draft3).","group":"Options"},
  'plan-limit': {"type":"number","describe":"Maximum items per team (default: none).","group":"Options"},
  'latency': {"type":"string","describe":"Delay before each answer, such as 20ms.","group":"Options"},
  'custom-fields': {"choices":["replace","merge"],"describe":"How PATCH treats custom_fields (default: replace).","group":"Options"},
  'order': {"choices":["created","updated"],"describe":"What \"newest first\" means (default: created).","group":"Options"},
  'storing': {"choices":["trim-names","collapse-spaces","round-values","sort-tags","normalise-unicode","cut-custom-fields","drop-custom-fields","add-custom-field","escape-texts","raise-brands","short-lists","short-items","omit-empty","sparse-lists"],"describe":"How the server changes values before it stores them (repeatable).","group":"Options","repeatable":true},
  'list-lag': {"type":"string","describe":"Delay before lists show a new item, such as 5s.","group":"Options"},
  'clock-offset': {"type":"string","describe":"How far the server's clock is off, such as -2h.","group":"Options"},
  'fault': {"type":"string","describe":"KIND=PROBABILITY (repeatable); kinds: drop-after-commit, drop-before, error-500, html-502, cut-body, stall, late-commit.","group":"Options","repeatable":true},
  'fault-seed': {"type":"number","describe":"Seed for the faults; the same seed repeats them.","group":"Options"},
} as const;

export const GROUPS = ["Select","Read","Map","Write","Send","Safety","Options","Global"] as const;
export const GLOBAL_FLAGS = global;
export const FLAGS = {
  'import': { ...files, ...asking, ...importing, ...planning, ...running },
  'set': { ...changes, ...setting, ...planning, ...changing },
  'jobs list': { ...listing, ...config },
  'jobs show': { ...jobId, ...showing },
  'jobs submit import': { ...files, ...importing, ...planning, ...running, ...config },
  'jobs resume': { ...jobId, ...running, ...takingOver },
  'jobs apply': { ...jobId, ...running, ...takingOver },
  'jobs mend': { ...jobId, ...asking, ...mending },
  'jobs cancel': { ...jobId },
  'jobs undo': { ...jobId, ...undoing, ...planning, ...changing },
  'jobs prune': { ...pruning, ...dryRun },
  'jobs results': { ...jobId, ...results },
  'jobs resolve': { ...jobId, ...resolving },
  'export items': { ...itemExport, ...exporting, ...replacing },
  'export listings': { ...itemExport, ...exporting, ...replacing },
  'export collections': { ...exporting, ...replacing },
  'export sales': { ...exporting, ...replacing },
  'export verify': { ...verifying },
  'report inventory': { ...itemReport, ...asOf, ...opening, ...replacing },
  'report listings': { ...itemReport, ...opening, ...replacing },
  'report sales': { ...salesReport, ...period, ...opening, ...replacing },
  'report month': { ...month, ...replacing },
  'why': { ...explaining },
  'diff': { ...diffing, ...replacing },
  'worker': { ...config, ...working },
  'schedule': { ...config },
  'schedule list': {  },
  'schedule run': { ...scheduleName },
  'schedule pause': { ...scheduleName },
  'schedule resume': { ...scheduleName },
  'dupes': { ...dupes, ...replacing },
  'template list': {  },
  'template forget': { ...rememberedName },
  'template show': { ...templateName },
  'template infer': { ...input, ...reading, ...inferring, ...replacing },
  'template check': { ...input, ...reading, ...checking },
  'template new': { ...form },
  'profile add': { ...newProfile },
  'profile list': {  },
  'profile use': { ...profileName },
  'doctor': {  },
  'store copy': { ...copying },
  'store backup': { ...backup },
  'store check': {  },
  'store prune': { ...pruning },
  'ui': { ...page, ...config },
  'mcp': { ...assistant },
  'sandbox': { ...sandbox },
} as const;

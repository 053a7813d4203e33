/** The page's style: light or dark like the reader's system, one column on a phone, black on white in print. */
export const STYLE = `
:root { color-scheme: light dark; --paper: #f5f5f1; --card: #ffffff; --ink: #1d2327; --soft: #5b6670; --line: #e2e4de; --bar: #1f7a83; --second: #b8741a; --track: #eceeea; --shade: #00000024; --warn: #8a4b00; --warn-card: #fff4e0; }
@media (prefers-color-scheme: dark) { :root { --paper: #121619; --card: #1b2126; --ink: #e8ecef; --soft: #9dabb6; --line: #2c353c; --bar: #4fb3bd; --second: #e2a24b; --track: #273037; --shade: #0000008c; --warn: #ffcf87; --warn-card: #33270f; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "DejaVu Sans", sans-serif; }
.page { max-width: 1280px; margin: 0 auto; padding: 40px 24px 64px; }
h1 { font-size: 2.4rem; line-height: 1.1; margin: 0 0 4px; letter-spacing: -0.02em; }
.at { color: var(--soft); margin: 0 0 28px; }
h2 { font-size: 1.3rem; line-height: 1.25; margin: 0 0 4px; letter-spacing: -0.01em; }
h3 { font-size: 0.8rem; font-weight: 600; color: var(--soft); letter-spacing: 0.06em; margin: 20px 0 8px; text-transform: uppercase; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(240px, 100%), 1fr)); gap: 14px; margin: 0 0 20px; padding: 0; list-style: none; }
.figures li, .card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; min-width: 0; }
.figures li { padding: 14px 18px 16px; }
.figures span { display: block; }
.figures .name { color: var(--soft); font-size: 0.85rem; }
.figures .value { font-size: 1.65rem; line-height: 1.25; font-weight: 650; font-variant-numeric: tabular-nums; letter-spacing: -0.02em; overflow-wrap: anywhere; }
.figures .long { font-size: 1.2rem; line-height: 1.3; padding-top: 0.5rem; }
.figures .detail { color: var(--soft); font-size: 0.85rem; }
.warning { background: var(--warn-card); color: var(--warn); border-radius: 12px; padding: 10px 18px; margin: 0 0 14px; }
nav { margin: 0 0 20px; font-size: 0.9rem; }
nav ul { display: flex; flex-wrap: wrap; gap: 6px 8px; margin: 0; padding: 0; list-style: none; }
nav a { display: block; padding: 4px 11px; border: 1px solid var(--line); border-radius: 99px; color: var(--soft); text-decoration: none; background: var(--card); }
nav a:hover, nav a:focus-visible { color: var(--ink); border-color: var(--soft); }
.card { padding: 22px 24px 24px; margin: 0 0 20px; scroll-margin-top: 12px; }
.note { color: var(--soft); font-size: 0.9rem; margin: 2px 0; max-width: 75ch; }
.block { display: grid; grid-template-columns: minmax(0, 1fr); gap: 20px 36px; margin-top: 14px; }
@media (min-width: 1000px) { .block.charted { grid-template-columns: minmax(0, 4fr) minmax(0, 9fr); } .block.below { grid-template-columns: minmax(0, 1fr); } .charted:not(.below) > figure { position: sticky; top: 16px; align-self: start; } }
figure { margin: 0; overflow: clip; overflow-clip-margin: 8px; }
figcaption { font-weight: 600; font-size: 0.9rem; margin-bottom: 10px; }
svg { display: block; overflow: visible; }
.label { fill: var(--ink); font-size: 14px; }
.figure { fill: var(--soft); font-size: 14px; font-variant-numeric: tabular-nums; }
.small { font-size: 12px; }
.latest { font-weight: 600; }
.bar, .key.s0 { fill: var(--bar); } .key.s1 { fill: var(--second); } .track { fill: var(--track); }
.axis { stroke: var(--line); }
.line { fill: none; stroke-width: 2.5; stroke-linejoin: round; } .line.s0 { stroke: var(--bar); } .line.s1 { stroke: var(--second); }
.scroll { overflow: auto; max-height: max(30rem, 80vh); margin: 0 -8px; position: relative; background: linear-gradient(90deg, var(--card) 40%, transparent) left / 28px 100% no-repeat local, linear-gradient(-90deg, var(--card) 40%, transparent) right / 28px 100% no-repeat local, linear-gradient(90deg, var(--shade), transparent) left / 10px 100% no-repeat, linear-gradient(-90deg, var(--shade), transparent) right / 10px 100% no-repeat; }
.scroll:focus-visible, thead span:focus-visible, a:focus-visible { outline: 2px solid var(--bar); outline-offset: 2px; }
table { width: 100%; border-collapse: collapse; font-size: 0.92rem; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
th, td { padding: 6px 8px; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); unicode-bidi: isolate; }
.t, .label { unicode-bidi: plaintext; }
thead th { font-size: 0.82rem; font-weight: 600; color: var(--soft); vertical-align: bottom; border-bottom: 0; box-shadow: inset 0 -2px var(--line); position: sticky; top: 0; z-index: 1; background: var(--card); }
tbody th { font-weight: 500; }
.t { overflow-wrap: anywhere; } td.t { min-width: 13ch; } tbody th.t { min-width: 15ch; }
.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; } thead .n { white-space: normal; }
.d { white-space: nowrap; font-variant-numeric: tabular-nums; }
tbody tr:hover > * { background: var(--track); }
tfoot > tr > * { font-weight: 650; border-bottom: 0; }
tfoot > tr:first-child > * { box-shadow: inset 0 2px var(--line); }
tfoot > tr:last-child > * { position: sticky; bottom: 0; background: var(--card); }
thead span { position: relative; display: inline-block; cursor: pointer; border-radius: 4px; padding-right: 14px; } thead span::after { content: "↕"; position: absolute; right: 0; bottom: 0; opacity: 0.35; } thead [aria-sort] { color: var(--ink); } thead [aria-sort] span::after { opacity: 1; }
[aria-sort="ascending"] span::after { content: "↑"; } [aria-sort="descending"] span::after { content: "↓"; }
footer dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 18px; margin: 8px 0 0; font-size: 0.9rem; }
footer dt { color: var(--soft); } footer dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 600px) { .page { padding: 24px 12px 40px; } h1 { font-size: 1.9rem; } .card { padding: 16px 14px 18px; border-radius: 10px; } .figures { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 8px; } .figures li { padding: 10px 12px; } .figures .value { font-size: 1.25rem; } .figures .long { font-size: 1rem; padding-top: 0.25rem; } tbody th, tfoot th, thead th:first-child { position: sticky; left: 0; background: var(--card); } thead th:first-child, tfoot tr:last-child > th { z-index: 2; } .minor { display: none; } table { font-size: 0.86rem; } footer dl { grid-template-columns: minmax(0, 1fr); gap: 0; } footer dd { margin-bottom: 8px; } }
@page { margin: 14mm 12mm 16mm; @bottom-right { content: counter(page) " / " counter(pages); font: 9pt sans-serif; color: #666; } }
@media print { :root { color-scheme: light; --paper: #fff; --card: #fff; --ink: #111; --soft: #555; --line: #ccc; --bar: #1f7a83; --second: #b8741a; --track: #eee; } * { print-color-adjust: exact; } body { font-size: 10pt; } .page { max-width: none; padding: 0; } nav { display: none; } .card { border: 0; border-top: 1px solid #999; border-radius: 0; padding: 14px 0; } .figures li { border-radius: 6px; break-inside: avoid; } .scroll { overflow: visible; max-height: none; margin: 0; background: none; } .figures { grid-template-columns: repeat(3, minmax(0, 1fr)); } .block > figure, thead th, tbody th, tfoot > tr > * { position: static !important; background: none !important; box-shadow: none !important; } thead th { border-bottom: 2px solid var(--line); } tfoot > tr:first-child > * { border-top: 2px solid var(--line); } figure, tr, h2, h3, .note, .scroll:not(:has(tbody > :nth-child(13))) { break-inside: avoid; } h2, h3, .note { break-after: avoid; } thead { display: table-header-group; } tfoot { display: table-row-group; } thead span { position: static; padding: 0; } thead span::after { content: none !important; } .block.charted { grid-template-columns: minmax(0, 1fr); } table { font-size: 8.5pt; } }
`;

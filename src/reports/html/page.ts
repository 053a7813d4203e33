/**
 * A report as one self-contained HTML file: no network, fonts or frames. Its policy allows only its own style sheet
 * and script, by their hashes, so that a name in the data could not run even if it were not escaped.
 */
import { english } from '../../messages/message.ts';
import { createHash } from 'node:crypto';
import type { Block, Figure, Report, Section } from '../model.ts';
import { currencyText, ValueFormat } from '../value-text.ts';
import { svgChart } from './chart.ts';
import { escapeHtml } from './escape.ts';
import { SORT_SCRIPT } from './sort-script.ts';
import { STYLE } from './style.ts';
import { htmlTable } from './table.ts';

/** @param locale format of numbers and times; undefined: English */
export function htmlPage(report: Report, locale?: string): string {
  const format = new ValueFormat(locale);
  const policy = `default-src 'none'; style-src '${hash(STYLE)}'; script-src '${hash(SORT_SCRIPT)}'; base-uri 'none'; form-action 'none'`;
  const sections = report.sections;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(report.title)}, ${escapeHtml(format.time(report.at))}</title>
<style>${STYLE}</style>
</head>
<body>
<div class="page">
<header>
<h1>${escapeHtml(report.title)}</h1>
<p class="at">As read on <time datetime="${escapeHtml(report.at)}">${escapeHtml(format.time(report.at))}</time></p>
</header>
<main>
${report.warnings.map((said) => `<p class="warning" role="note">${escapeHtml(english(said))}</p>`).join('\n')}
<ul class="figures">
${report.figures.map((figure) => tile(figure, format)).join('\n')}
</ul>
<nav aria-label="Sections"><ul>${sections.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`).join('')}</ul></nav>
${sections.map((section) => card(section, format)).join('\n')}
</main>
<footer class="card"><h2>About this report</h2><dl>
${report.facts.map(([label, text]) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(text)}</dd>`).join('\n')}
</dl></footer>
</div>
<script>${SORT_SCRIPT}</script>
</body>
</html>
`;
}

/** The policy source that allows exactly this text. */
function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** Longest figure that fits beside others at full size. */
const LONG_FIGURE = 12;

/** Lets a long line break between thousands only. */
function breakable(digits: string): string {
  return digits.replaceAll(',', ',<wbr>');
}

function tile({ label, value, kind, currency, detail }: Figure, format: ValueFormat): string {
  const text = value === null ? 'unknown' : format.text(value, kind, currency);
  // The code stands with the label: beside a long number, it would break the line.
  const name = currency === undefined ? label : `${label}, ${currencyText(currency)}`;
  const size = text.length > LONG_FIGURE ? 'value long' : 'value';
  const below = detail === undefined ? '' : `<span class="detail">${escapeHtml(detail)}</span>`;
  return `<li><span class="name">${escapeHtml(name)}</span><span class="${size}">${breakable(escapeHtml(text))}</span>${below}</li>`;
}

function card(section: Section, format: ValueFormat): string {
  const { id, title, notes, blocks, empty } = section;
  const body =
    blocks.length === 0
      ? `<p class="note">${escapeHtml(empty)}</p>`
      : blocks.map((block, index) => blockOf(section, block, `${id}-${index}`, format)).join('\n');
  return `<section class="card" id="${id}"><h2>${escapeHtml(title)}</h2>
${notes.map((note) => `<p class="note">${escapeHtml(note)}</p>`).join('\n')}
${body}</section>`;
}

function blockOf(section: Section, block: Block, id: string, format: ValueFormat): string {
  const { currency, chart } = block;
  const currencies = section.blocks.length > 1 && currency !== undefined;
  const head = currencies ? `<h3>${escapeHtml(currencyText(currency))}</h3>` : '';
  const caption = currency === undefined ? section.title : `${section.title}, ${currencyText(currency)}`;
  const picture = svgChart(block, section.columns, id, format);
  // Lines over time need the full width; bars fit beside their table.
  const classes = picture === '' ? 'block' : chart?.kind === 'bars' ? 'block charted' : 'block charted below';
  return `${head}<div class="${classes}">${picture}${htmlTable(block, section.columns, caption, format)}</div>`;
}

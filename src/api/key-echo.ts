/**
 * Finds a key that a server echoes: verbatim, URL-encoded, JSON-escaped or as HTML entities (also mixed or encoded
 * twice), in base64 (also within longer text) and in hexadecimal.
 */

/** An encoded form of a shorter key could match other text. */
const MIN_ENCODED = 6;

/** @param key printable ASCII */
export function keyEcho(key: string): RegExp {
  const forms = [[...key].map(escapedForms).join('')];
  if (key.length >= MIN_ENCODED) forms.push(hexForm(key), ...base64Forms(key));
  return new RegExp(forms.join('|'), 'g');
}

/** One character as text, in a URL, in JSON and in HTML. */
function escapedForms(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = anyCase(code.toString(16).padStart(2, '0'));
  const names = { '"': 'quot', '&': 'amp', "'": 'apos', '<': 'lt', '>': 'gt' } as Record<string, string>;
  const entities = [`#0*${code}`, `#[xX]0*${hex}`];
  const name = names[character];
  if (name !== undefined) entities.push(name);
  // An escaped quote or backslash has one more backslash before it, each time that it is escaped.
  const literal = `${/["'\\/]/.test(character) ? '\\\\*' : ''}\\x${code.toString(16).padStart(2, '0')}`;
  return `(?:${literal}|%(?:25)*${hex}|\\\\+u00${hex}|&(?:amp;)*(?:${entities.join('|')});)`;
}

function hexForm(key: string): string {
  return anyCase(Buffer.from(key).toString('hex'));
}

/**
 * The base64 characters that depend on the key alone, for each of the three offsets in a group, and their neighbours,
 * which contain bits of the key too.
 */
function base64Forms(key: string): string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(key)]);
    const whole = bytes.toString('base64url');
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor((bytes.length * 8) / 6);
    const sure = whole.slice(first, last).replaceAll('-', '[-+]').replaceAll('_', '[_/]');
    const beside = '[A-Za-z0-9+/_-]?';
    return `${before === 0 ? '' : beside}${sure}${(bytes.length * 8) % 6 === 0 ? '' : beside}={0,2}`;
  });
}

/** Hexadecimal digits in either case. */
function anyCase(hex: string): string {
  return hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/**
 * Finds a key in what a server echoes, in the forms that servers give back: as it is, URL-encoded, JSON-escaped or as
 * HTML entities (also mixed, and encoded twice), in base64 (also inside of longer text) and in hexadecimal.
 */

/** Below this many characters an encoded form is too short to tell from other text. */
const LEAST_ENCODED = 6;

/** @param key printable ASCII */
export function keyEcho(key: string): RegExp {
  const forms = [[...key].map(escapedForms).join('')];
  if (key.length >= LEAST_ENCODED) forms.push(hexForm(key), ...base64Forms(key));
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
 * Of base64 the characters that the key alone decides, at each of the three places where it may begin in a group; with
 * those next to them, which hold bits of it too.
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

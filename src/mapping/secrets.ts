/**
 * Columns that no collection needs and that nobody should see: passwords, access tokens, and numbers of payment cards.
 * They are left out unless a person maps them. `Card number`, `Token` and `Secret` are ordinary headers of collections,
 * so only unmistakable headers and values count.
 */
import { fold } from './fold.ts';
import headers from './words/headers.json' with { type: 'json' };

const HEADERS: ReadonlySet<string> = new Set(headers.secret.map(fold));

/** Whether the header alone shows that the column is secret. */
export function isSecretHeader(header: string): boolean {
  return HEADERS.has(fold(header));
}

/** Tokens of well-known services, JSON web tokens, private keys, and hashes of passwords. */
const TOKEN =
  /^(?:gh[oprsu]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{20,}|[rs]k_(?:live|test)_\w{10,}|xox[abeoprs]-[\w-]{10,}|shp(?:at|ca|pa|ss)_\w{20,}|A(?:KI|SI)A[A-Z\d]{16}|AIza[\w-]{30,}|ya29\.[\w-]{20,}|eyJ[\w-]{8,}\.eyJ[\w-]*\.[\w-]*|-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*|\$(?:2[abxy]|argon2\w*|5|6|y)\$[^\s]{20,})$/;

/** Whether a text is an access token or the hash of a password, whatever its header. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** First digits and lengths that issuers of payment cards use (ISO/IEC 7812). */
const CARD_NUMBER =
  /^(?:4\d{12}(?:\d{3}){0,2}|(?:2[2-7]|5[1-5])\d{14}|3[47]\d{13}|3[0689]\d{12}|35\d{14}|(?:50|5[6-9]|6\d)\d{10,17})$/;

/** Whether a text is the number of a payment card: 13 to 19 digits, with a valid Luhn check digit. */
export function isCardNumber(text: string): boolean {
  const digits = text.replaceAll(/(?<=\d)[ -](?=\d)/gu, '');
  if (digits.length < 13 || !CARD_NUMBER.test(digits)) return false;
  let sum = 0;
  for (let at = digits.length - 1, isDoubled = false; at >= 0; at -= 1, isDoubled = !isDoubled) {
    const digit = Number(digits[at]) * (isDoubled ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

/** Numbers, times and lists within German texts. */

/** Made when it is needed: language data takes 10 ms to read. */
let number: Intl.NumberFormat | undefined;

export function zahl(value: number): string {
  number ??= new Intl.NumberFormat('de-DE');
  return number.format(value);
}

/** `1 Zeile`, `1.200 Zeilen`. */
export function anzahl(value: number, eine: string, mehrere: string): string {
  return `${zahl(value)} ${value === 1 ? eine : mehrere}`;
}

export function zeilen(value: number): string {
  return anzahl(value, 'Zeile', 'Zeilen');
}

export function quoted(text: string): string {
  return `„${text}“`;
}

/** `A, B und C`. */
export function list(texts: readonly string[]): string {
  return joined(texts, 'und');
}

/** `A, B oder C`. */
export function either(texts: readonly string[]): string {
  return joined(texts, 'oder');
}

function joined(texts: readonly string[], word: string): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} ${word} ${texts.at(-1)}`;
}

/** ms → `0,4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function dauer(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1).replace('.', ',')} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** Date and time in this machine's time zone. */
export function zeitpunkt(at: number): string {
  return new Date(at).toLocaleString('de-DE', { dateStyle: 'long', timeStyle: 'short' });
}

/** ms → `3 Tagen`, `1 Stunde`: the largest whole unit, as after „vor“. */
export function alter(ms: number): string {
  for (const [unit, eine, mehrere] of EINHEITEN)
    if (ms >= unit) return anzahl(Math.floor(ms / unit), eine, mehrere);
  return '0 Sekunden';
}

const EINHEITEN = [
  [86_400_000, 'Tag', 'Tagen'],
  [3_600_000, 'Stunde', 'Stunden'],
  [60_000, 'Minute', 'Minuten'],
  [1000, 'Sekunde', 'Sekunden'],
] as const;

/** What a job that stops at a question has sent. */
export function unsent({ hasSent }: { hasSent: boolean }): string {
  return hasSent ? 'Die übrigen Zeilen wurden nicht gesendet.' : 'Es wurde nichts gesendet.';
}

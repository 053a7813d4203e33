const MAX_LENGTH = 31;

/**
 * A valid sheet name: 1 to 31 characters, none of `\ / ? * [ ] :`, no `'` at either end, and not "History", which
 * Excel keeps for itself.
 */
export function validSheetName(name: string): string {
  const plain = name
    .replaceAll(/[\\/?*[\]:\p{Cc}]/gu, ' ')
    .slice(0, MAX_LENGTH)
    .replace(/^[\s']+|[\s']+$/gu, '');
  if (plain === '') return 'Sheet1';
  return plain.toLowerCase() === 'history' ? `${plain} 1` : plain;
}

/** Name of the nth sheet (from 1) of one table: `Items`, `Items (2)`, `Items (3)`. */
export function numberedSheetName(name: string, number: number): string {
  const plain = validSheetName(name);
  if (number === 1) return plain;
  const suffix = ` (${number})`;
  return plain.slice(0, MAX_LENGTH - suffix.length) + suffix;
}

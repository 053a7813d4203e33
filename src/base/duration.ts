/** Parses durations as people write them. */
import { UsageError } from './errors.ts';
import { message } from '../messages/message.ts';

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * `500ms`, `10s`, `5m`, `24h` as milliseconds.
 *
 * @param name name of the option for the message, such as `--wait`
 * @throws UsageError `bad_duration`
 */
export function parseDuration(text: string, name = 'the duration'): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text.trim());
  const unit = UNITS[match?.[2] ?? ''];
  if (match === null || unit === undefined) {
    throw new UsageError('bad_duration', message('bad_duration', { name, text }));
  }
  return Number(match[1]) * unit;
}

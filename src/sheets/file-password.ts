/** Gets the password of a protected workbook from a variable or a person. It is kept in memory only. */
import { basename } from 'node:path';
import { message } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';
import type { FilePassword } from './table.ts';

/**
 * The password in SHELFLIFT_FILE_PASSWORD first. If it does not open the file, a person is asked until a password does,
 * or until the answer is blank.
 *
 * @param ask asks without echo; undefined if nobody can be asked
 */
export function filePasswords(
  environment: Record<string, string | undefined>,
  ask?: (question: Message) => Promise<string>,
): FilePassword {
  /** Answers are kept, because a file is opened more than once. */
  const answers = new Map<string, string>();
  return async (file, wrong) => {
    const given = answers.get(file) ?? environment['SHELFLIFT_FILE_PASSWORD'];
    if (!wrong && given !== undefined && given !== '') return given;
    if (ask === undefined) return undefined;
    const code = wrong ? 'ask_other_file_password' : 'ask_file_password';
    const answer = await ask(message(code, { file: basename(file) }));
    if (answer === '') return undefined;
    answers.set(file, answer);
    return answer;
  };
}

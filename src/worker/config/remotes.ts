/**
 * Places on other machines, as shelflift.yaml names them. Secrets are in variables or files, never in shelflift.yaml
 * itself.
 */
import { z } from 'zod';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { text } from '../../base/option.ts';
import { inZod, problem } from '../../base/schema-words.ts';
import { knownKeys } from '../../base/yaml-file.ts';

export const variable = z.string().regex(/^[A-Za-z_]\w*$/, problem('expected_variable', {}));

const SFTP = {
  host: text,
  port: z.number().int().min(1).max(65_535).default(22),
  user: text,
  hostKey: z.string().regex(/^SHA256:[A-Za-z0-9+/]{43}=?$/, problem('expected_host_key', {})),
  passwordEnv: variable.optional(),
  passwordFile: text.optional(),
  privateKeyFile: text.optional(),
};
const SftpServer = z.object(SFTP);
export type SftpServer = z.infer<typeof SftpServer>;

export const SftpTarget = knownKeys({ ...SFTP, folder: text.default('.') });
export type SftpTarget = z.infer<typeof SftpTarget>;

export const SftpFile = knownKeys({ ...SFTP, file: text.describe('Path of the file on the server.') });
export type SftpFile = z.infer<typeof SftpFile>;

/**
 * A place on a remote of rclone's own configuration. A remote written out (`:sftp,host=…:`, `drive,option=…:`) could hold
 * secrets, and do anything that rclone can.
 */
export const RclonePath = z.string().regex(/^[\w.+@][\w.+@ -]*:[^\p{Cc}]*$/u, problem('expected_rclone', {}));

/**
 * A web address. Private addresses are refused unless `allowPrivate` (see remote/public-address.ts).
 */
export const webAddress = z.string().superRefine((address, context) => {
  const wrong = addressProblem(address);
  if (wrong !== undefined) context.addIssue({ code: 'custom', message: inZod(wrong) });
});

/** Why an address cannot be used. Never repeats it: its path may be a secret. */
export function addressProblem(address: string): Message | undefined {
  if (!URL.canParse(address)) return message('expected_address', {});
  const { protocol, username, password } = new URL(address);
  if (protocol !== 'https:') return message('expected_https', { found: protocol });
  return username === '' && password === '' ? undefined : message('secret_in_address', {});
}

/** The address itself or, if it is a secret, the place where it is stored. */
export const ADDRESS = {
  url: webAddress.optional().describe('https address.'),
  urlEnv: variable.optional().describe('Environment variable with the address, if that is secret.'),
  urlFile: text.optional().describe('File with the address, which only its owner can read.'),
  allowPrivate: z
    .boolean()
    .optional()
    .describe('Allow an address of a private network or of this machine (default: false).'),
  caFile: text.optional().describe('Certificate of a private authority, as PEM.'),
};
export type Address = z.infer<z.ZodObject<typeof ADDRESS>>;

/** The keys of `ADDRESS` that say where the address is. */
export const ADDRESS_KEYS = ['url', 'urlEnv', 'urlFile'] as const;

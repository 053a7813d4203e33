/**
 * E-mail by nodemailer, an optional package loaded on use. STARTTLS is required unless another kind of
 * encryption is configured.
 */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { domainToASCII } from 'node:url';
import type { Transporter } from 'nodemailer';
import { UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { Smtp } from '../config/schema.ts';
import { openConnection, PATIENCE_MS } from '../remote/connect.ts';
import { notInstalled } from '../remote/optional.ts';
import { passwordOf, type ConnectionContext, readConfigured } from '../remote/connection-context.ts';

export interface Mail {
  /** Addresses as people write them: with a name, or several in one text. */
  to: string[];
  /** Bare addresses of those who have it already. */
  reached?: readonly string[];
  subject: string;
  text: string;
  /** Key of the mail; a mail that is sent twice has the same key. */
  key: string;
  replyTo?: string;
  /** Absolute paths. */
  attachments?: readonly string[];
}

/** Who has a mail and who was refused, as bare addresses. */
export interface Sent {
  reached: readonly string[];
  refused: readonly string[];
}

/** The recipients as bare addresses, in the one spelling that mail servers are told; a text without an address stays. */
async function recipientsOf(to: readonly string[]): Promise<string[]> {
  const { default: parse } = await import('nodemailer/lib/addressparser').catch(notInstalled('nodemailer'));
  const found = to.flatMap((text) => parse(text, { flatten: true }));
  return [...new Set(found.map(({ address, name }) => bare(address || name)))];
}

function bare(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  return address.slice(0, at) + (domainToASCII(domain) || domain.toLowerCase());
}

/**
 * Sends the mail to all who lack it.
 *
 * @throws UsageError `no_smtp`, `package_missing`; nodemailer's errors of connection, TLS, login and refusal
 */
export async function sendMail(context: ConnectionContext, mail: Mail, signal: AbortSignal): Promise<Sent> {
  return withTransport(context, signal, async (transport, { from }) => {
    const { reached = [] } = mail;
    const lacking = (await recipientsOf(mail.to)).filter((each) => !reached.includes(each));
    if (lacking.length === 0 && reached.length > 0) return { reached, refused: [] };
    const { accepted } = await transport.sendMail({
      from,
      to: mail.to,
      envelope: { from, to: lacking },
      subject: mail.subject,
      text: mail.text,
      messageId: `<${createHash('sha256').update(mail.key).digest('hex').slice(0, 32)}@shelflift>`,
      ...(mail.replyTo === undefined ? {} : { replyTo: mail.replyTo }),
      attachments: (mail.attachments ?? []).map((path) => ({ filename: basename(path), path })),
    });
    // Only the server's word counts: of whoever it does not name, nobody knows.
    const taken = new Set((accepted ?? []).map(bare));
    return {
      reached: [...reached, ...lacking.filter((each) => taken.has(each))],
      refused: lacking.filter((each) => !taken.has(each)),
    };
  });
}

/** Logs in and sends nothing. @throws the same errors as sendMail */
export async function verifyMailServer(context: ConnectionContext, signal: AbortSignal): Promise<void> {
  await withTransport(context, signal, (transport) => transport.verify());
}

async function withTransport<T>(
  context: ConnectionContext,
  signal: AbortSignal,
  work: (transport: Transporter, smtp: Smtp) => Promise<T>,
): Promise<T> {
  const { smtp } = context;
  if (smtp === undefined) throw new UsageError('no_smtp', message('no_smtp', {}));
  const { createTransport } = await import('nodemailer').catch(notInstalled('nodemailer'));
  const password = passwordOf(smtp, context);
  const ca = smtp.caFile === undefined ? undefined : readConfigured(smtp.caFile, context, false);
  const connection = await openConnection(smtp, signal);
  const transport = createTransport({
    connection,
    host: smtp.host,
    port: smtp.port,
    secure: smtp.tls === 'implicit',
    requireTLS: smtp.tls === 'starttls',
    ignoreTLS: smtp.tls === 'none',
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    ...(ca === undefined ? {} : { tls: { ca } }),
    ...(smtp.user === undefined || password === undefined
      ? {}
      : { auth: { user: smtp.user, pass: password } }),
  });
  try {
    return await work(transport, smtp);
  } finally {
    transport.close();
    connection.destroy();
  }
}

/** Why a request failed on the wire, by what undici and Node throw. */
import { buildConnector } from 'undici';

/** Everything that came before a connection was there, TLS handshake included: no byte of a request had left. */
const beforeConnection = new WeakSet<object>();

/**
 * undici's connector, which remembers what it fails with: codes alone do not tell a handshake that failed from a
 * TLS stream that broke under a request (`ERR_SSL_…` is both).
 */
export function rememberingConnector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (target, callback) =>
    connect(target, (...result) => {
      if (result[0] !== null) beforeConnection.add(result[0]);
      callback(...result);
    });
}

/** True for errors that came before a byte of the request was written. */
export function neverSent(cause: unknown): boolean {
  return typeof cause === 'object' && cause !== null && beforeConnection.has(cause);
}

export function isCertificate(code: string | undefined): boolean {
  return code !== undefined && /^(CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code);
}

export function errorCode(cause: unknown): string | undefined {
  const code = (cause as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

export function describeCause(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return describeCause(cause.errors[0]);
  const code = errorCode(cause);
  const message = cause instanceof Error ? cause.message : String(cause);
  return code === undefined || message.includes(code) ? message : `${message} (${code})`;
}

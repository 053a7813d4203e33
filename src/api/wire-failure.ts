/** Why a request failed on the wire, by what undici and Node throw. */

/** Errors that can only happen before a byte of the request was written. */
export function neverSent(cause: unknown): boolean {
  const code = errorCode(cause) ?? '';
  const syscall = (cause as { syscall?: unknown } | null)?.syscall;
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true;
  if (
    code === 'UND_ERR_CONNECT_TIMEOUT' ||
    code === 'ENOTFOUND' ||
    code === 'EAI_AGAIN' ||
    code === 'ECONNREFUSED'
  )
    return true;
  if (/^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code)) return true;
  if (cause instanceof Error && /before secure TLS connection was established/.test(cause.message))
    return true;
  // Several addresses of one host, each refused.
  if (cause instanceof AggregateError) return cause.errors.length > 0 && cause.errors.every(neverSent);
  return false;
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

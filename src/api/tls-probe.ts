/** Inspects the TLS connection to the API, for `doctor`. Sends no HTTP and no key. */
import { connect } from 'node:tls';

export interface TlsReport {
  /** `TLSv1.3` */
  protocol: string;
  /** End of the certificate's validity, ms since the epoch. */
  validUntil: number;
}

/**
 * Performs a TLS handshake that checks the certificate as every request does.
 *
 * @param apiUrl a normalised https address
 * @returns undefined if there is no certificate to inspect, such as behind a proxy
 * @throws the handshake's error, such as one with code `DEPTH_ZERO_SELF_SIGNED_CERT`
 */
export function probeTls(apiUrl: string, timeoutMs: number): Promise<TlsReport | undefined> {
  const { hostname, port } = new URL(apiUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: port === '' ? 443 : Number(port), servername: host }, () => {
      const validUntil = Date.parse(socket.getPeerCertificate().valid_to);
      const protocol = socket.getProtocol();
      socket.end();
      resolve(protocol === null || Number.isNaN(validUntil) ? undefined : { protocol, validUntil });
    });
    socket.setTimeout(timeoutMs, () =>
      socket.destroy(new Error(`No TLS connection within ${timeoutMs / 1000} s.`)),
    );
    socket.once('error', reject);
  });
}

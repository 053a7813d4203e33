import type { HeaderStyle, RateLimit } from '../settings.ts';
import type { Admission } from './limiter.ts';

/**
 * The rate limit headers in Node's flat form: name, value, name, value.
 *
 * The contract says only that their names begin with RateLimit- (api-v1 §8), so every form in use can be chosen: three
 * fields with seconds (`draft3`, draft-ietf-httpapi-ratelimit-headers-03), the same at 429s only, with
 * RateLimit-Policy (`policy`), structured fields (`structured`, -08 and later), Retry-After alone at 429s, the reset as
 * seconds since 1970 (`epoch`), or none at all. Seconds are rounded up, so that waiting that long is enough.
 *
 * @param wallMs the server's clock, for `epoch`
 */
export function rateHeaders(
  style: HeaderStyle,
  rate: RateLimit,
  admission: Admission,
  wallMs: number,
): string[] {
  const reset = Math.ceil(admission.resetMs / 1000);
  if (style === 'none') return [];
  if (style === 'retry-after') return admission.admitted ? [] : ['Retry-After', String(reset)];
  if (style === 'draft3-on-429' && admission.admitted) return [];
  const window = Math.ceil(rate.windowMs / 1000);
  if (style === 'structured') {
    return [
      'RateLimit-Policy',
      `"default";q=${rate.limit};w=${window}`,
      'RateLimit',
      `"default";r=${admission.remaining};t=${reset}`,
    ];
  }
  const resetField = style === 'epoch' ? Math.ceil((wallMs + admission.resetMs) / 1000) : reset;
  const fields = [
    'RateLimit-Limit',
    String(rate.limit),
    'RateLimit-Remaining',
    String(admission.remaining),
    'RateLimit-Reset',
    String(resetField),
  ];
  if (style === 'policy') fields.push('RateLimit-Policy', `${rate.limit};w=${window}`);
  return fields;
}

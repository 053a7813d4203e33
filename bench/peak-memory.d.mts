/** MB. */
export function peakMegabytes(): number;

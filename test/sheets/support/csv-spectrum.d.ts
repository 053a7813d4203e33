declare module 'csv-spectrum' {
  /** The cases; the package brings no types. */
  export default function csvSpectrum(
    done: (error: Error | null, items: { name: string; csv: Buffer; json: Buffer }[]) => void,
  ): void;
}

/** What reads something that anybody may have written, with spoiled input for it. */
export interface Adversary {
  /**
   * Reads the input of this number, which is always the same.
   *
   * @returns what became of it, in a word
   * @throws ShelfliftError by which it is refused; anything else is a defect
   */
  play(number: number): Promise<string> | string;
  close?(): Promise<void>;
}

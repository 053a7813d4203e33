/** Escapes untrusted text for HTML and SVG. */
import { showable } from '../../base/shown-text.ts';

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text, and for attributes in double or single quotes. */
export function escapeHtml(text: string): string {
  return showable(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

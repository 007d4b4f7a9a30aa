// Splits the text of streamed markdown into spoken sentences: emits each complete one, with its end in the markdown.
import { findEnds, mayEnd } from './find-sentences.ts';
import { asSentence, isSayable, inlineToSpeech } from './inline-to-speech.ts';

/** A sentence, or a replacement for content that cannot be read aloud. */
export interface SpokenSentence {
  readonly text: string;
  /** End offset in the markdown, in UTF-16 code units. */
  readonly end: number;
}

/** Maximum length of a part of text without a sentence end, in UTF-16 code units. */
export const longestOpen = 1_000;

export class SentenceBuffer {
  /** Markdown that was not emitted yet. */
  #text = '';
  /** Text to speak before the next sentence: the number of a list item. */
  #lead = '';
  /** Start of a possible table header; nothing beyond it is emitted. */
  #held: number | undefined;
  /** Start of the newest line; -1 if part of it was emitted. */
  #lineStart = 0;
  /** Offset in the markdown of the end of the text. */
  #taken = 0;
  /** Length of all received markdown. */
  #length = 0;
  #said: SpokenSentence[] = [];

  /** Whether a table header may have begun. */
  get isHeld(): boolean {
    return this.#held !== undefined;
  }

  /** Counts received markdown. */
  receive(units: number): void {
    this.#length += units;
  }

  /** Skips markdown that is not spoken. */
  skip(units: number): void {
    this.#taken += units;
  }

  /** Sets the text that is spoken before the next sentence. */
  leadWith(words: string): void {
    this.#lead = words;
  }

  beginLine(): void {
    this.#lineStart = this.#text.length;
  }

  append(piece: string): void {
    const bar = this.#held === undefined && this.#lineStart >= 0 ? piece.indexOf('|') : -1;
    // Processes complete lines as if they had arrived separately.
    if (bar > 0) this.#add(piece.slice(0, bar));
    if (bar >= 0 && this.#lineStart >= 0) this.#held = this.#lineStart;
    this.#add(bar > 0 ? piece.slice(bar) : piece);
  }

  /** Treats the possible table header as text. */
  release(): void {
    this.#held = undefined;
  }

  /** Removes and returns the table header. */
  takeHeader(): string {
    const header = this.#text.slice(this.#held);
    this.#text = this.#text.slice(0, this.#held);
    return header;
  }

  /** Emits the rest at the end of a paragraph, item or heading. */
  endBlock(): void {
    this.#held = undefined;
    this.#emitComplete();
    if (this.#text !== '') this.#cutAt(this.#text.length);
    this.#lead = '';
  }

  /** Emits a replacement for content that cannot be read aloud. */
  announce(words: string): void {
    this.#emit(words, this.#taken);
  }

  /** Returns the emitted sentences once. */
  drain(): SpokenSentence[] {
    const now = this.#said;
    this.#said = [];
    return now;
  }

  #add(piece: string): void {
    this.#text += piece;
    this.#taken += piece.length;
    if (mayEnd(piece) || this.#text.length > longestOpen) this.#emitComplete();
  }

  #emitComplete(): void {
    let start = 0;
    for (const end of findEnds(this.#held === undefined ? this.#text : this.#text.slice(0, this.#held))) {
      this.#cutAt(end - start);
      start = end;
    }
    while (this.#text.length > longestOpen && this.#held === undefined) {
      const blank = this.#text.lastIndexOf(' ', longestOpen);
      this.#cutAt(blank > 0 ? blank + 1 : longestOpen);
    }
  }

  #cutAt(end: number): void {
    const words = this.#text.slice(0, end);
    const whole = inlineToSpeech(words);
    if (isSayable(whole)) this.#emit(asSentence(whole), this.#taken - this.#text.length + words.trimEnd().length);
    this.#text = this.#text.slice(end);
    this.#lineStart = Math.max(-1, this.#lineStart - end);
    if (this.#held !== undefined) this.#held -= end;
  }

  #emit(words: string, end: number): void {
    this.#said.push({ text: `${this.#lead}${words}`, end: Math.min(end, this.#length) });
    this.#lead = '';
  }
}

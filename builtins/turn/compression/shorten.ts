// Shortens texts and messages. Pure.
import { clip, textEnd, textStart } from '#lib/text';
import type { AudioPart, ImagePart, ModelMessage } from 'agent-harness/plugins/models';

/** Returns the beginning of a text on one line, without control characters. */
export function flatten(text: string, length: number): string {
  // Reads more than is returned, because white space is removed.
  const start = textStart(text, length * 4);
  return clip(
    start
      .replace(/[\u0000-\u001f\u007f]+/g, ' ')
      .replace(/ {2,}/g, ' ')
      .trim(),
    length,
  );
}

/** Keeps the beginning and the end of a text, with a note between them. */
export function cutMiddle(text: string, length: number, note: string): string {
  const half = Math.max(0, Math.floor((length - note.length) / 2));
  return `${textStart(text, half)}${note}${textEnd(text, half)}`;
}

interface Media {
  readonly images?: readonly ImagePart[];
  readonly audio?: readonly AudioPart[];
}

/** Removes media and adds a note about them to the text. Returns the same object if the message has no media. */
export function withoutMedia(message: ModelMessage): ModelMessage {
  const { images, audio, ...rest } = message as ModelMessage & Media;
  const pictures = images?.length ? '\n[The images are no longer shown.]' : '';
  const sound = audio?.length ? '\n[The audio is no longer attached.]' : '';
  return pictures || sound ? { ...rest, text: `${message.text}${pictures}${sound}` } : message;
}

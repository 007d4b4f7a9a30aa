// What a route answers that is no JSON. Part of the contract.
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/** A file that is read piece by piece while it is sent, as fast as the client takes it. The server closes the handle, whatever becomes of the reply. */
export interface FileContent {
  readonly handle: FileHandle;
  /** How long it was when it was opened; no more is sent. */
  readonly byteLength: number;
}

/** Bytes that are still made: sent as they come, so without a length and never in part. The server destroys the stream where the client leaves. */
export interface GrowingContent {
  readonly stream: Readable;
}

/** Bytes that a route answers with. The server does what belongs to it: a part (`Range`), and nothing where the client still has them. */
export interface FileReply {
  readonly content: Uint8Array | FileContent | GrowingContent;
  /** `audio/mpeg`, `text/plain; charset=utf-8`. */
  readonly type: string;
  /** The same as long as the bytes are, without quotes. Without it nobody can ask whether they changed. */
  readonly tag?: string;
  /** Under this address there will never be others, so a client may keep them. */
  readonly isImmutable?: boolean;
  /** Saved under this name instead of shown. */
  readonly download?: string;
  /** How `content` is compressed; then there are no parts. */
  readonly encoding?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

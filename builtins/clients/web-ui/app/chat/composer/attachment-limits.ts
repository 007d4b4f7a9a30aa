// Decides which selected files can be attached, and explains why others cannot. Pure.
import { formatCount } from '../../kit/page/format.ts';
import { t, tn } from '../../kit/t.ts';
import { firstOf, quoted } from '../../kit/short-texts.ts';

const mb = 1024 * 1024;
/** Limits in bytes, and `count` in files; the server also enforces them. `text` limits the message itself. */
export const attachmentLimits = { count: 12, image: 4 * mb, file: 25 * mb, all: 64 * mb, text: mb };

/** The relevant part of a `File`. */
export interface PickedFile {
  readonly name: string;
  readonly size: number;
  readonly type: string;
}

export interface Choice<F extends PickedFile> {
  readonly taken: F[];
  /** Sentences for users, one per reason. */
  readonly problems: string[];
}

export function chooseFiles<F extends PickedFile>(already: readonly Pick<PickedFile, 'size'>[], picked: readonly F[]): Choice<F> {
  const taken: F[] = [];
  const problems: string[] = [];
  const overflow: string[] = [];
  let total = already.reduce((sum, one) => sum + one.size, 0);
  for (const file of picked) {
    const isPicture = mimeTypeOf(file).startsWith('image/');
    const limit = isPicture ? attachmentLimits.image : attachmentLimits.file;
    if (file.size > limit) {
      const size = describeSize(file.size);
      problems.push(
        isPicture
          ? t('“{name}” has {size}; pictures are limited to {limit}.', { name: file.name, size, limit: describeSize(limit) })
          : t('“{name}” has {size}; files are limited to {limit}.', { name: file.name, size, limit: describeSize(limit) }),
      );
    } else if (already.length + taken.length >= attachmentLimits.count) {
      overflow.push(file.name);
    } else if (total + file.size > attachmentLimits.all) {
      problems.push(
        t('“{name}” was not attached: all files of one message together are limited to {limit}.', {
          name: file.name,
          limit: describeSize(attachmentLimits.all),
        }),
      );
    } else {
      total += file.size;
      taken.push(file);
    }
  }
  if (overflow.length > 0)
    problems.push(t('A message can have at most {count} attachments. Not attached: {names}.', { count: attachmentLimits.count, names: listNames(overflow) }));
  return { taken, problems };
}

function listNames(names: readonly string[]): string {
  return firstOf(names.map(quoted), 3);
}

/** Returns the MIME type without parameters; a default if the browser reports none or an invalid one. */
export function mimeTypeOf({ type }: Pick<PickedFile, 'type'>): string {
  const bare = type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return /^[\w.+-]+\/[\w.+-]+$/.test(bare) ? bare : 'application/octet-stream';
}

/** Formats a size, rounded up so that a size above a limit never looks equal to the limit. */
export function describeSize(bytes: number): string {
  if (bytes < 1024) return tn(bytes, '{count} byte', '{count} bytes');
  if (bytes <= mb - 1024) return t('{bytes} kB', { bytes: formatCount(Math.ceil(bytes / 1024)) });
  return t('{bytes} MB', { bytes: formatCount(Math.ceil((bytes / mb) * 10) / 10) });
}

/** Returns the size of a text in bytes when it is sent. */
export function textBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

// Stub until the file is merged.
import type { ImagePart } from './contract.ts';
export const usableImage = (part: ImagePart): { readonly ok: true; readonly part: ImagePart } | { readonly ok: false; readonly why: string } => ({ ok: true, part });

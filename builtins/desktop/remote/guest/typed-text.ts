// What was written in the guest's own field, in the pieces that the host takes. Pure.
import { textStart } from 'agent-harness/lib/text';
import { maxTypedText } from '../guest-protocol.ts';

/** Never through the middle of a sign that takes two units. */
export function piecesOf(text: string, limit = maxTypedText): readonly string[] {
  const pieces: string[] = [];
  for (let rest = text; rest !== '';) {
    const piece = rest.length <= limit ? rest : textStart(rest, limit) || rest.slice(0, limit);
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  return pieces;
}

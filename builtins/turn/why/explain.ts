// Answers a question: finds its subject and delegates to the module for that kind of subject.
import type { Why, WhyAnswer, WhyQuestion } from './contract.ts';
import { aboutCall } from './about-call.ts';
import { aboutChat, aboutMessage, aboutNote, aboutSource } from './about-message.ts';
import { aboutText } from './about-text.ts';
import { aboutSection, aboutTurn } from './about-turn.ts';
import { openChat, type KnownChat, type WhyParts } from './known-chat.ts';

export function createWhy(parts: WhyParts): Pick<Why, 'explain'> {
  return {
    async explain(question) {
      const known = await openChat(parts, question.chatId);
      const answer = await answerOf(known, question);
      if (!answer) throw parts.notFound(wordsOf(question));
      return answer;
    },
  };
}

async function answerOf(known: KnownChat, question: WhyQuestion): Promise<WhyAnswer | undefined> {
  const { turn, call, message, section, note, source, text, of } = question;
  if (note !== undefined) return aboutNote(known, note);
  if (source !== undefined) return aboutSource(known, source);
  if (text !== undefined) return aboutText(known, text, question);
  if (call !== undefined) {
    const found = known.callOf(call);
    return found && aboutCall(known, found);
  }
  if (message !== undefined) {
    const found = known.messageOf(message);
    return found && aboutMessage(known, found);
  }
  if (of === 'chat') return aboutChat(known);
  const turnId = turn ?? known.turnIds.findLast((id) => known.isOfModel(id)) ?? known.turnIds.at(-1);
  if (turnId === undefined) return { title: 'Why', says: ['This chat has no turns yet.'], parts: [], sources: [], derived: [] };
  if (!known.turnIds.includes(turnId)) return undefined;
  return section === undefined ? aboutTurn(known, turnId) : aboutSection(known, turnId, section);
}

function wordsOf({ chatId: _, ...asked }: WhyQuestion): string {
  return Object.entries(asked)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');
}

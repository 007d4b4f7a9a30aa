// Tests which theme the page applies when server answers arrive out of order.
import { expect, test } from 'vitest';
import type { Client, WireEvent } from 'agent-harness/client';
import { followLook, type FollowedLook } from '../../../../builtins/persona/persona-theme/ui/follow-look.ts';

interface Scene {
  readonly look: FollowedLook;
  readonly shown: (string | undefined)[];
  readonly asked: number;
  change(): void;
  answer(nth: number, accent: string): Promise<void>;
}

function scene(): Scene {
  const applied: (string | undefined)[] = [];
  const listeners = new Set<(event: WireEvent) => void>();
  const answers: ((reply: unknown) => void)[] = [];
  const client = {
    on(listener: (event: WireEvent) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    call: () => new Promise((resolve) => answers.push(resolve)),
  } as unknown as Pick<Client, 'on' | 'call'>;
  const look = followLook(client, (tokens) => applied.push(tokens?.['accent']));
  return {
    look,
    shown: applied,
    get asked() {
      return answers.length;
    },
    change: () => listeners.forEach((listener) => listener({ kind: 'look_changed' } as unknown as WireEvent)),
    async answer(nth, accent) {
      answers[nth]?.({ personaUiTheme: { tokens: { accent } } });
      await Promise.resolve();
    },
  };
}

test('applies the newer of two theme changes when the older answer arrives last', async () => {
  const { shown, change, answer } = scene();
  change();
  change();
  await answer(1, 'new');
  await answer(0, 'old');
  expect(shown).toEqual(['new']);
});

test('does not restore the old theme from a configuration read before the change', async () => {
  const page = scene();
  page.look.take({ accent: 'first' });
  page.change();
  await page.answer(0, 'new');
  page.look.take({ accent: 'first' });
  expect([page.shown, page.asked]).toEqual([['first', 'new'], 2]);
  await page.answer(1, 'newest');
  expect(page.shown).toEqual(['first', 'new', 'newest']);
});

test('ignores an answer that arrives after the page stopped following the theme', async () => {
  const { look, shown, change, answer } = scene();
  change();
  look.leave();
  change();
  await answer(0, 'late');
  expect(shown).toEqual([undefined]);
});

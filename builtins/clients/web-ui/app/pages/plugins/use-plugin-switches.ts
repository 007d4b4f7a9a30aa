// Manages the switches of the plugins page: sends the requested states in order, and shows the last one until the plugin list confirms it.
import type { PluginRow } from 'agent-harness/client';
import { useEffect, useRef, useState } from 'react';
import { useClient } from '../../kit/hooks.ts';
import { explainError } from '../../kit/page/explain-error.ts';

/** A requested state. `readBefore`: the list that was loaded at the time of the reply and does not reflect the request yet. */
interface Wish {
  readonly isOn: boolean;
  readonly readBefore?: readonly PluginRow[] | undefined;
}

export interface PluginSwitches {
  /** Returns whether a plugin is enabled, including a pending request. */
  isOn(plugin: PluginRow): boolean;
  switchPlugin(name: string, isOn: boolean): void;
  /** Reason why the last change of the switch was refused. */
  readonly refusal: { readonly name: string; readonly text: string } | undefined;
}

/** @param plugins list as last loaded; a new object is a newer list @param onAnswered reloads the list */
export function usePluginSwitches(plugins: readonly PluginRow[] | undefined, onAnswered: () => void): PluginSwitches {
  const client = useClient();
  const [wishes, setWishes] = useState<ReadonlyMap<string, Wish>>(new Map());
  const [refusal, setRefusal] = useState<{ readonly name: string; readonly text: string }>();
  const newest = useRef({ plugins, wanted: new Map<string, boolean>(), sent: Promise.resolve() });
  useEffect(() => {
    newest.current.plugins = plugins;
  }, [plugins]);

  function put(name: string, wish: Wish | undefined): void {
    setWishes((before) => {
      const after = new Map(before);
      if (wish) after.set(name, wish);
      else after.delete(name);
      return after;
    });
  }

  async function send(name: string, isOn: boolean): Promise<void> {
    const { wanted } = newest.current;
    if (wanted.get(name) !== isOn) return; // another state was requested in the meantime
    setRefusal(undefined);
    try {
      await client.call('PUT /api/plugins/:name', { params: { name }, body: { disabled: !isOn, whenBusy: 'queue' } });
      if (wanted.get(name) === isOn) put(name, { isOn, readBefore: newest.current.plugins ?? [] });
    } catch (error) {
      setRefusal({ name, text: explainError(error) });
      if (wanted.get(name) === isOn) put(name, undefined);
    } finally {
      onAnswered();
    }
  }

  return {
    isOn({ name, state, pending }) {
      const wish = wishes.get(name);
      if (wish && (wish.readBefore === undefined || wish.readBefore === plugins)) return wish.isOn;
      return pending === undefined ? state !== 'disabled' : pending === 'on';
    },
    switchPlugin(name, isOn) {
      const { current } = newest;
      current.wanted.set(name, isOn);
      put(name, { isOn });
      // One after the other, so that the server receives the last request last.
      current.sent = current.sent.then(() => send(name, isOn));
    },
    refusal,
  };
}

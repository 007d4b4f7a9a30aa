// Renders a contributed view. Loads it from the server, and reloads it when its content changes.
import type { View, ViewInput } from 'agent-harness/view';
import { useState } from 'react';
import { useClient } from '../hooks.ts';
import { useEvents } from '../page/use-events.ts';
import { useLoaded } from '../page/use-loaded.ts';
import { WhenLoaded } from '../page/when-loaded.tsx';
import { t } from '../t.ts';
import { inputOf, startOf } from './field-values.ts';
import { ParametersForm } from './parameters-form.tsx';
import { ViewCard } from './view-card.tsx';
import '../page/pages.css';
import './view.css';

/** Time within which several changes cause one reload, in milliseconds. */
const settleMs = 200;

interface Props {
  readonly name: string;
  readonly changesOn?: readonly string[];
  readonly chatId?: string | undefined;
  /** Whether the view is shown outside chats, so that changes in any chat can affect it. */
  readonly isOfAll?: boolean;
  readonly parameters?: ViewInput | undefined;
  /** The current values of the parameters, from the address; if omitted, the component stores the values. */
  readonly given?: Readonly<Record<string, string>> | undefined;
  readonly onGiven?: (given: Readonly<Record<string, string>>) => void;
}

const none = {};

/** Adds the current parameters to links and actions, because the displayed view may still belong to earlier ones. */
function withParameters(view: View, given: Readonly<Record<string, string>>): View {
  if (!view.parameters) return view;
  const { input } = view.parameters;
  return { ...view, parameters: { input, values: inputOf(input, startOf(input, given)) } };
}

export function ViewPanel({ name, changesOn = [], chatId, isOfAll = false, parameters, given, onGiven }: Props) {
  const client = useClient();
  const [own, setOwn] = useState<Readonly<Record<string, string>>>(none);
  const wanted = given ?? own;
  const words = new URLSearchParams(wanted).toString();
  const key = `${name} ${chatId ?? ''}${words === '' ? '' : ` ${words}`}`;
  /** The result of an action is newer than a view that was loaded before the action. */
  const [newer, setNewer] = useState<{ readonly key: string; readonly over: unknown; readonly view: View }>();
  const loaded = useLoaded(key, (signal) =>
    client.call('GET /api/views/:name', { params: { name }, signal, query: { ...wanted, ...(chatId === undefined ? {} : { chatId }) } }),
  );
  useEvents(
    (event) => {
      if (!isOfAll && chatId !== undefined && event.chatId !== undefined && event.chatId !== chatId) return false;
      return changesOn.includes(event.kind) || (event.kind === 'view_changed' && event['name'] === name);
    },
    settleMs,
    loaded.reload,
  );
  return (
    <>
      {parameters && <ParametersForm key={`${name} ${words}`} input={parameters} given={wanted} onChange={onGiven ?? setOwn} />}
      <WhenLoaded loaded={loaded} what={t('view')}>
        {(value) => {
          const view = newer && newer.key === key && newer.over === value ? newer.view : value;
          return (
            <ViewCard
              isUntitled
              view={loaded.isLoading ? withParameters(view, wanted) : view}
              id={`view:${key}`}
              chatId={chatId}
              onView={(view) => setNewer({ key, over: value, view })}
            />
          );
        }}
      </WhenLoaded>
    </>
  );
}

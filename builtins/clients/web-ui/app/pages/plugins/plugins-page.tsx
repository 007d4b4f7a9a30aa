// Renders all plugins that were found, in sections: needing attention, installed, built in, and locked.
import type { Fault, PluginRow } from 'agent-harness/client';
import { useState } from 'react';
import { useClient, useStore } from '../../kit/hooks.ts';
import { language } from '../../kit/language.ts';
import { FaultList } from './fault-list.tsx';
import { PluginEntry } from './plugin-entry.tsx';
import { describePlugin, loadPluginTexts, type PluginTexts } from './plugin-texts.ts';
import { usePluginSwitches } from './use-plugin-switches.ts';
import { filterPlugins, remedyOf, sortPlugins } from './plugin-model.ts';
import './plugins.css';
import { formatCount } from '../../kit/page/format.ts';
import { PageFrame } from '../../kit/page/page-frame.tsx';
import { SearchField } from '../../kit/page/search-field.tsx';
import { useEvents } from '../../kit/page/use-events.ts';
import { useLoaded } from '../../kit/page/use-loaded.ts';
import { WhenLoaded } from '../../kit/page/when-loaded.tsx';
import { t, tn, tx } from '../../kit/t.ts';
import { Slot } from '../../points/slot.tsx';

const listed = new Set(['plugin_changed', 'settings_pending', 'error']);

export function PluginsPage() {
  const client = useClient();
  const spoken = useStore(language);
  const [known] = useState(() => new Map<string, readonly string[]>());
  const loaded = useLoaded(`plugins ${spoken}`, async (signal) => {
    const [reply, words] = await Promise.all([client.call('GET /api/plugins', { signal }), loadPluginTexts(spoken)]);
    for (const { name, adds } of reply.plugins) if (adds.length > 0) known.set(name, adds);
    return { ...reply, words };
  });
  const [query, setQuery] = useState('');
  useEvents((event) => listed.has(event.kind), 150, loaded.reload);
  const switches = usePluginSwitches(loaded.value?.plugins, loaded.reload);

  function list(plugins: readonly PluginRow[], words: PluginTexts) {
    return (
      <ul className="plugin-list">
        {plugins.map((plugin) => (
          <PluginEntry
            key={plugin.name}
            plugin={plugin}
            {...describePlugin(plugin, words)}
            isOn={switches.isOn(plugin)}
            refusal={switches.refusal?.name === plugin.name ? switches.refusal.text : undefined}
            onSwitch={switches.switchPlugin}
            onDecided={loaded.reload}
          />
        ))}
      </ul>
    );
  }

  return (
    <PageFrame
      title={t('Plugins')}
      actions={
        <div className="plugin-actions">
          <Slot name="plugins" />
        </div>
      }
      isBusy={loaded.isLoading}
    >
      <WhenLoaded loaded={loaded} what={t('plugins')}>
        {({ plugins, errors, words }) => (
          <>
            <div className="page-filters">
              <SearchField label={t('Search plugins')} placeholder={t('Search plugins')} value={query} onChange={setQuery} />
            </div>
            <FaultList faults={errors.filter((fault) => !isReasonOf(plugins, fault))} />
            {query.trim() === '' ? (
              <PluginSectionList plugins={plugins} words={words} list={list} />
            ) : (
              <FoundPlugins plugins={filterPlugins(plugins, query.trim(), words, known)} words={words} list={list} />
            )}
          </>
        )}
      </WhenLoaded>
    </PageFrame>
  );
}

/** Returns whether a plugin's row already shows the reason. */
const isReasonOf = (plugins: readonly PluginRow[], { plugin, message }: Fault): boolean =>
  plugins.some(({ name, reason }) => name === plugin && reason === message);

interface ListProps {
  readonly plugins: readonly PluginRow[];
  readonly words: PluginTexts;
  readonly list: (plugins: readonly PluginRow[], words: PluginTexts) => React.ReactNode;
}

function PluginSectionList({ plugins, words, list }: ListProps) {
  const { troubled, installed, groups, locked } = sortPlugins(plugins, words);
  return (
    <>
      {troubled.length > 0 && (
        <section className="plugin-section" aria-labelledby="plugins-troubled">
          <h2 id="plugins-troubled">{t('Needs attention')}</h2>
          {list(troubled, words)}
        </section>
      )}
      {installed.length > 0 && (
        <section className="plugin-section" aria-labelledby="plugins-installed">
          <h2 id="plugins-installed">{t('Installed by you')}</h2>
          {list(installed, words)}
        </section>
      )}
      <section className="plugin-section" aria-labelledby="plugins-built-in">
        <h2 id="plugins-built-in">{t('Built in')}</h2>
        {groups.map(({ group, plugins: members }) => {
          const [title = group, about] = words.groups[group] ?? [];
          const off = members.filter(({ state }) => state === 'disabled').length;
          return (
            <details key={group} className="plugin-group">
              <summary>
                <span className="plugin-group-title">{title}</span>
                <span className="muted small plugin-group-count">
                  {off === 0 ? formatCount(members.length) : t('{count}, {off} off', { count: formatCount(members.length), off: formatCount(off) })}
                </span>
                <span className="muted small plugin-group-about">{about}</span>
              </summary>
              {list(members, words)}
            </details>
          );
        })}
      </section>
      {locked.length > 0 && <LockedPlugins plugins={locked} words={words} />}
    </>
  );
}

function FoundPlugins({ plugins, words, list }: ListProps) {
  return plugins.length === 0 ? (
    <p className="page-empty" role="status">
      {tx('{strong} Search for another word.', { strong: <strong>{t('No plugin matches.')}</strong> })}
    </p>
  ) : (
    <>
      <p className="visually-hidden" role="status">
        {tn(plugins.length, '{count} plugin', '{count} plugins')}
      </p>
      {list(plugins, words)}
    </>
  );
}

/** Renders the plugins that a paid plan unlocks; initially collapsed. */
function LockedPlugins({ plugins, words }: Pick<ListProps, 'plugins' | 'words'>) {
  return (
    <details className="page-more plugin-locked">
      <summary>{tn(plugins.length, '{count} paid feature is locked', '{count} paid features are locked')}</summary>
      <ul className="plugin-list">
        {plugins.map((plugin) => {
          const { title, about } = describePlugin(plugin, words);
          return (
            <li key={plugin.name} className="plugin-entry">
              <h3 className="plugin-entry-name">{title}</h3>
              <p className="plugin-entry-about muted small">
                {about} {remedyOf(plugin)} <code>{plugin.name}</code>
              </p>
            </li>
          );
        })}
      </ul>
      <a href="#/account">{t('Account')}</a>
    </details>
  );
}

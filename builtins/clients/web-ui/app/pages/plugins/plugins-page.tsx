// The page of all plugins, with the reason for the state of each.
import type { PluginRow } from 'agent-harness/client';
import { useState } from 'react';
import { useClient } from '../../kit/hooks.ts';
import { FaultList } from './fault-list.tsx';
import { PluginEntry } from './plugin-entry.tsx';
import { usePluginSwitches, type PluginSwitches } from './use-plugin-switches.ts';
import { countStates, filterPlugins, orderPlugins, originTitles, stateTitles, type PluginFilter, type PluginOrder, type PluginState } from './plugin-model.ts';
import './plugins.css';
import { PageFrame } from '../../kit/page/page-frame.tsx';
import { SearchField } from '../../kit/page/search-field.tsx';
import { Select } from '../../kit/page/select.tsx';
import { useEvents } from '../../kit/page/use-events.ts';
import { useLoaded } from '../../kit/page/use-loaded.ts';
import { WhenLoaded } from '../../kit/page/when-loaded.tsx';
import { t, table, tn, tx } from '../../kit/t.ts';
import { Slot } from '../../points/slot.tsx';

const orderTitles = table({ attention: 'Troubled first', boot: 'Slowest start first', name: 'By name' } as const);
const listed = new Set(['plugin_changed', 'settings_pending', 'error']);

export function PluginsPage() {
  const client = useClient();
  const loaded = useLoaded('plugins', (signal) => client.call('GET /api/plugins', { signal }));
  const [filter, setFilter] = useState<PluginFilter>({ query: '' });
  const [order, setOrder] = useState<PluginOrder>('attention');
  useEvents((event) => listed.has(event.kind), 150, loaded.reload);
  const switches = usePluginSwitches(loaded.value?.plugins, loaded.reload);

  return (
    <PageFrame title={t('Plugins')} intro={t('Everything that this agent does comes from a plugin. Most can be switched off.')} isBusy={loaded.isLoading}>
      <WhenLoaded loaded={loaded} what={t('plugins')}>
        {({ plugins, errors }) => (
          <>
            <FaultList faults={errors} />
            <Slot name="plugins" />
            <PluginFilters plugins={plugins} filter={filter} onFilter={setFilter} order={order} onOrder={setOrder} />
            <PluginList plugins={orderPlugins(filterPlugins(plugins, filter), order)} total={plugins.length} switches={switches} onDecided={loaded.reload} />
          </>
        )}
      </WhenLoaded>
    </PageFrame>
  );
}

interface PluginFiltersProps {
  readonly plugins: readonly PluginRow[];
  readonly filter: PluginFilter;
  readonly onFilter: (filter: PluginFilter) => void;
  readonly order: PluginOrder;
  readonly onOrder: (order: PluginOrder) => void;
}

function PluginFilters({ plugins, filter, onFilter, order, onOrder }: PluginFiltersProps) {
  const states = countStates(plugins).map(({ state, count }): [PluginState, string] => [state, `${stateTitles[state]} (${count})`]);
  const origins = Object.entries(originTitles).filter(([origin]) => plugins.some((plugin) => plugin.origin === origin));
  return (
    <div className="page-filters" role="group" aria-label={t('Filter')}>
      <SearchField
        label={t('Search plugins')}
        placeholder={t('Name, route, tool, reason…')}
        value={filter.query}
        onChange={(query) => onFilter({ ...filter, query })}
      />
      <Select
        label={t('State')}
        value={filter.state ?? ''}
        options={{ '': t('All states'), ...Object.fromEntries(states) }}
        onChange={(state) => onFilter({ ...filter, state: state === '' ? undefined : state })}
      />
      <Select
        label={t('Origin')}
        value={filter.origin ?? ''}
        options={{ '': t('All origins'), ...Object.fromEntries(origins) }}
        onChange={(origin) => onFilter({ ...filter, origin: origin === '' ? undefined : origin })}
      />
      <Select label={t('Order')} value={order} options={orderTitles} onChange={onOrder} />
    </div>
  );
}

interface PluginListProps {
  readonly plugins: readonly PluginRow[];
  readonly total: number;
  readonly switches: PluginSwitches;
  readonly onDecided: () => void;
}

function PluginList({ plugins, total, switches, onDecided }: PluginListProps) {
  return (
    <>
      <p className="muted small plugin-count" role="status">
        {plugins.length === total
          ? tn(total, '{count} plugin', '{count} plugins')
          : t('{count} of {plugins}', { count: plugins.length, plugins: tn(total, '{count} plugin', '{count} plugins') })}
      </p>
      {plugins.length === 0 ? (
        <p className="page-empty">
          {tx('{strong} Search for something else, or show all states and origins.', { strong: <strong>{t('No plugin matches.')}</strong> })}
        </p>
      ) : (
        <ul className="plugin-list page-card">
          {plugins.map((plugin) => (
            <PluginEntry
              key={plugin.name}
              plugin={plugin}
              isOn={switches.isOn(plugin)}
              refusal={switches.refusal?.name === plugin.name ? switches.refusal.text : undefined}
              onSwitch={switches.switchPlugin}
              onDecided={onDecided}
            />
          ))}
        </ul>
      )}
    </>
  );
}

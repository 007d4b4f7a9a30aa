// Reads and writes the fleet configuration for the editor.
import { call, type ReplyOf } from '../../base/plane.ts';
import { readNewest, type RulesDocument } from './rules-document.ts';

export type FleetConfig = ReplyOf<'GET /api/team/fleet/config'>['config'];

export const fleetDocument: RulesDocument<FleetConfig> = {
  kind: 'fleet',
  async read(signal) {
    const { revision, config } = await call('GET /api/team/fleet/config', signal ? { signal } : {});
    return { revision, document: config };
  },
  newest: () => readNewest(fleetDocument),
  save: (base, config) => call('PUT /api/team/fleet/config', { body: { base, config } }),
  history: (before) => call('GET /api/team/fleet/config/history', { query: before === undefined ? {} : { before } }),
  rollback: (base, to) => call('POST /api/team/fleet/config/rollback', { body: { base, to } }),
  async preview(config, signal) {
    const { affects, of } = await call('POST /api/team/fleet/config/preview', { body: { config }, signal });
    return { affects, of, lines: [] };
  },
  problemOf: ({ harness }) => (Object.keys(harness?.env ?? {}).includes('') ? 'A setting has no name.' : undefined),
};

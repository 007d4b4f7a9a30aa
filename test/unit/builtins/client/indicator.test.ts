// Tests the connection indicator.
import { indicatorOf, type ConnectionState, type Indicator } from 'agent-harness/client';
import { expect, it } from 'vitest';

const running = { turnId: 't', startedAt: '', waitingFor: 'model', since: '' } as const;

it.each<[Indicator, ConnectionState['stream'], ConnectionState['rest']]>([
  ['CONNECTING', 'connecting', 'unknown'],
  ['WAIT API', 'connecting', 'up'],
  ['OFFLINE', 'connecting', 'down'],
  ['STANDBY', 'open', 'up'],
  ['OFFLINE', 'open', 'down'],
  ['DEGRADED', 'lost', 'up'],
  ['OFFLINE', 'lost', 'down'],
  ['WAIT API', 'refused', 'up'],
  ['WAIT API', 'connecting', 'refused'],
])('shows %s while the stream is %s and the server is %s', (word, stream, rest) => {
  expect(indicatorOf({ stream, rest })).toBe(word);
});

it('shows BUSY while a turn of the chat is running and the connection is healthy', () => {
  expect(indicatorOf({ stream: 'open', rest: 'up' }, { running })).toBe('BUSY');
  expect(indicatorOf({ stream: 'open', rest: 'up' }, {})).toBe('STANDBY');
  expect(indicatorOf({ stream: 'lost', rest: 'up' }, { running })).toBe('DEGRADED');
});

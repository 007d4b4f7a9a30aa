// Tests the short formats of times, paths, amounts and devices.
import { expect, test } from 'vitest';
import { deviceName } from '../../../../plugins/lib/device-name.ts';
import { amount, duration, money, shortPath, timeAgo } from '../../../../builtins/clients/web-ui/app/kit/short-texts.ts';

const now = new Date('2026-03-15T12:00:00Z');
const ago = (milliseconds: number): string => timeAgo(new Date(now.getTime() - milliseconds).toISOString(), now);

test('shows now, then minutes, hours, days and a date, and nothing for an invalid time', () => {
  expect(ago(0)).toBe('now');
  expect(ago(59_000)).toBe('now');
  expect(ago(60_000)).toBe('1 min');
  expect(ago(59 * 60_000)).toBe('59 min');
  expect(ago(3_600_000)).toBe('1 h');
  expect(ago(6 * 86_400_000)).toBe('6 d');
  expect(ago(20 * 86_400_000)).not.toMatch(/2026/);
  expect(ago(500 * 86_400_000)).toMatch(/2024/);
  expect(ago(-5_000)).toBe('now');
  expect(timeAgo('yesterday-ish', now)).toBe('');
});

test('shows the two largest units of a duration', () => {
  expect(duration(-10)).toBe('0 s');
  expect(duration(12_900)).toBe('12 s');
  expect(duration(125_000)).toBe('2 min 5 s');
  expect(duration(3_780_000)).toBe('1 h 3 min');
});

test('abbreviates the home folder of each operating system, and a long path to its last parts', () => {
  expect(shortPath('/home/ada/project')).toBe('~/project');
  expect(shortPath('/Users/ada')).toBe('~');
  expect(shortPath('/root/x')).toBe('~/x');
  expect(shortPath('C:\\Users\\ada\\project')).toBe('~\\project');
  expect(shortPath('/homework/ada')).toBe('/homework/ada');
  expect(shortPath('/srv/data/customers/north/reports/2026', 24)).toBe('…/north/reports/2026');
  expect(shortPath(`/srv/${'x'.repeat(60)}`, 24)).toBe(`…/${'x'.repeat(60)}`);
  expect(shortPath('/')).toBe('/');
  expect(shortPath('/srv/data/')).toBe('/srv/data');
});

test('abbreviates amounts and does not round small sums to zero', () => {
  expect([940, 1_000, 12_345, 123_456, 1_250_000].map(amount)).toEqual(['940', '1k', '12.3k', '123k', '1.3M']);
  expect([0, 0.0004, 0.02, 1.5].map(money)).toEqual(['$0', '$0.0004', '$0.02', '$1.50']);
});

test('names a browser and its platform', () => {
  expect(deviceName('Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36')).toBe(
    'Chrome on Android',
  );
  expect(
    deviceName('Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'),
  ).toBe('Safari on iPhone');
  expect(deviceName('Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0')).toBe('Firefox on Linux');
  expect(deviceName('curl')).toBe('Browser');
});

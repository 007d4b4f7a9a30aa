import { expect, it } from 'vitest';
import { textOfBytes } from '../../../../builtins/clients/web-ui/app/chat/transcript/tools/artifact-kind.ts';
import { pictureOf, safeLink } from '../../../../builtins/clients/web-ui/app/kit/markdown/safe-address.ts';

it.each(['https://example.com/a?b#c', 'http://localhost:3000/', 'mailto:a@example.com', 'HTTPS://EXAMPLE.COM/'])('accepts the link %s', (href) => {
  expect(safeLink(href)).toBe(new URL(href).href);
});

it.each([
  ...['javascript:alert(1)', ' JaVaScRiPt:alert(1)', 'java\nscript:alert(1)', 'data:text/html,<script>', 'vbscript:x', 'file:///etc/passwd'],
  ...['blob:https://example.com/1', '/settings', '#/settings', '//example.com', 'streamdown:incomplete-link', 'https://', ''],
])('rejects the link %j', (href) => {
  expect(safeLink(href)).toBeUndefined();
});

it('shows embedded images and marks images of other hosts as remote', () => {
  expect(pictureOf('data:image/png;base64,iVBORw0KGgo=')).toMatchObject({ kind: 'shown' });
  expect(pictureOf('https://tracker.example.com/p.png')).toEqual({ kind: 'remote', src: 'https://tracker.example.com/p.png', host: 'tracker.example.com' });
});

it.each(['data:image/svg+xml;base64,PHN2Zz4=', 'data:text/html,x', 'javascript:1', '/api/chats', 'blob:x', undefined])('shows no image for %j', (src) => {
  expect(pictureOf(src)).toEqual({ kind: 'none' });
});

it('decodes UTF-8 and rejects other bytes', () => {
  expect(textOfBytes(new TextEncoder().encode('grüße 🎉'))).toBe('grüße 🎉');
  expect(textOfBytes(Uint8Array.from([0xff, 0xfe, 0]))).toBeUndefined();
});

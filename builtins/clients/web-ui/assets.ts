// The files of the page as texts: the build and the tests both put them in for `?raw`.
/// <reference types="vite/client" />
import { createHash } from 'node:crypto';
import api from './page/api.js?raw';
import app from './page/app.js?raw';
import chatList from './page/chat-list.js?raw';
import conversation from './page/conversation.js?raw';
import dom from './page/dom.js?raw';
import index from './page/index.html?raw';
import markdown from './page/markdown.js?raw';
import questions from './page/questions.js?raw';
import stream from './page/stream.js?raw';
import style from './page/app.css?raw';
import toolCards from './page/tool-cards.js?raw';
import watch from './page/watch.js?raw';

export interface Asset {
  readonly type: string;
  readonly text: string;
  /** Quoted, as the header takes it. */
  readonly etag: string;
}

export const indexTemplate = index;

/** The script's imports name each other as they are named here. */
export const assets: Readonly<Record<string, Asset>> = Object.fromEntries([
  asset('app.css', style),
  asset('api.js', api),
  asset('app.js', app),
  asset('chat-list.js', chatList),
  asset('conversation.js', conversation),
  asset('dom.js', dom),
  asset('markdown.js', markdown),
  asset('questions.js', questions),
  asset('stream.js', stream),
  asset('tool-cards.js', toolCards),
  asset('watch.js', watch),
]);

function asset(name: string, text: string): [string, Asset] {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  return [name, { type: name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8', text, etag }];
}

// Gives the page's nonce to what adds style elements (the scroll lock of dialogs). Imported first: before anything is drawn.
import { setNonce } from 'get-nonce';

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content;
if (nonce) setNonce(nonce);

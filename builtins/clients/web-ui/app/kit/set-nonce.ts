// Passes the page's nonce to libraries that add style elements, such as the scroll lock of dialogs. Must be imported first, before any rendering.
import { setNonce } from 'get-nonce';

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content;
if (nonce) setNonce(nonce);

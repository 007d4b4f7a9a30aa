// Starts the page of a guest in the same network.
import { createLanTransport } from './lan-transport.ts';
import { startGuest } from './start.ts';

startGuest(document.getElementById('root') as HTMLElement, createLanTransport(location, sessionStorage));

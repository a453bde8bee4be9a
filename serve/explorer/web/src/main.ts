import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/plain.css";
import { mount } from "svelte";
import App from "./App.svelte";

// A relative address would resolve differently after each change of the page's address.
const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
if (icon) icon.href = icon.href;

mount(App, { target: document.getElementById("app")! });

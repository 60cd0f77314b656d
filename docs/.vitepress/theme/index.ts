// The theme without its letters, which are half a megabyte: those of the system will do.
import theme from "vitepress/theme-without-fonts";
import Layout from "./layout.vue";
import "./style.css";

export default { extends: theme, Layout };

<doc id="4294967303" url="https://www.tides.example/sea?q=%22moon%22&amp;p=1" website="www.tides.example" urldomain="tides.example" tld="example" crawl_date="2025-03-20" title="Tides &amp; &quot;moons&quot; by C:\sea" author="Owen Tarrant|Ana &lt;Li&gt;" date="2025-03-19" year="2025" month="2025-03" date_source="jsonld" sitename="The Tides" section="Science" keywords="sea|moon / sun" lang="eng" lang_score="0.988" page_type="article" confidence="0.9-1.0" charset="windows-1252" file_type="text/html" license="CC BY 4.0" words="61" length="1k-10k" warc_id="urn:uuid:0f0b2c6a-6e9c-4a7e-9a39-0d3f7a1c2b55" cluster_size="2" dup_cluster="4294967303">
<p id="0" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
Before	before		T6	before
any	any		T3	any
heading	heading		T7	heading
<g/>
:	:		T1	:
AT	at		T2	at
<g/>
&amp;	&amp;		T1	&amp;
<g/>
T's	t's		T3	t's
"	"		T1	"
<g/>
10	10		T2	10
&lt;	&lt;		T1	&lt;
20	20		T2	20
<g/>
"	"		T1	"
<g/>
.	.		T1	.
</s>
</p>
<p id="2" heading="1" lang="eng" class="good" cfclass="short" dup="0">
<s>
Tides	tides		T5	tides
</s>
</p>
<p id="3" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
The	the		T3	the
tide	tide		T4	tide
(	(		T1	(
<g/>
twice	twice		T5	twice
a	a		T1	a
day	day		T3	day
<g/>
!	!		T1	!
<g/>
)	)		T1	)
comes	comes		T5	comes
later	later		T5	later
<g/>
.	.		T1	.
</s>
<s>
Why	why		T3	why
<g/>
?	?		T1	?
</s>
</p>
<p id="4" heading="0" lang="zho" class="good" cfclass="short" dup="0">
<s>
这	这		T1	这
<g/>
是	是		T1	是
<g/>
第一	第一		T2	第一
<g/>
句	句		T1	句
<g/>
。	。		T1	。
</s>
<g/>
<s>
这	这		T1	这
<g/>
是	是		T1	是
<g/>
第二	第二		T2	第二
<g/>
句	句		T1	句
<g/>
。	。		T1	。
</s>
</p>
<p id="5" heading="1" lang="eng" class="good" cfclass="short" dup="0">
<s>
Causes	causes		T6	causes
</s>
</p>
<p id="6" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
The	the		T3	the
moon	moon		T4	moon
<g/>
,	,		T1	,
</s>
</p>
<p id="7" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
which	which		T5	which
is	is		T2	is
near	near		T4	near
</s>
</p>
<p id="8" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
The	the		T3	the
sun	sun		T3	sun
<g/>
.	.		T1	.
</s>
</p>
<p id="9" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
It	it		T2	it
is	is		T2	is
far	far		T3	far
<g/>
.	.		T1	.
</s>
</p>
<p id="10" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
Heights	heights		T7	heights
</s>
</p>
<p id="11" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
Place	place		T5	place
</s>
</p>
<p id="12" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
Harbour	harbour		T7	harbour
</s>
</p>
<p id="13" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
3.5	3.5		T3	3.5
m	m		T1	m
</s>
</p>
<p id="14" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
Time	time		T4	time
and	and		T3	and
tide	tide		T4	tide
wait	wait		T4	wait
for	for		T3	for
no	no		T2	no
man	man		T3	man
<g/>
.	.		T1	.
</s>
</p>
<p id="15" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
if	if		T2	if
a	a		T1	a
&lt;	&lt;		T1	&lt;
b	b		T1	b
{	{		T1	{
</s>
<s>
print	print		T5	print
<g/>
(	(		T1	(
<g/>
"	"		T1	"
<g/>
&lt;	&lt;		T1	&lt;
<g/>
doc	doc		T3	doc
<g/>
&gt;	&gt;		T1	&gt;
<g/>
"	"		T1	"
<g/>
)	)		T1	)
<g/>
;	;		T1	;
}	}		T1	}
</s>
</p>
<p id="16" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
Ebb	ebb		T3	ebb
</s>
</p>
<p id="17" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
Falling	falling		T7	falling
tide	tide		T4	tide
</s>
</p>
<p id="18" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
The	the		T3	the
harbour	harbour		T7	harbour
at	at		T2	at
noon	noon		T4	noon
</s>
</p>
<p id="19" heading="0" lang="und" class="good" cfclass="short" dup="1">
<s>
Quay	quay		T4	quay
1	1		T1	1
</s>
</p>
<p id="21" heading="1" lang="eng" class="good" cfclass="short" dup="0">
<s>
The	the		T3	the
end	end		T3	end
</s>
</p>
</doc>
